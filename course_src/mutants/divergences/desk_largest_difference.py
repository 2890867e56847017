"""The largest difference of one word.

points:
    desk_on_paper: 0
"""

# %% desk_by_hand
def desk_by_hand():
    p, q = [0.45, 0.25, 0.2, 0.1], [0.2, 0.2, 0.25, 0.35]
    losses = [math.log(x / y) for x, y in zip(p, q)]
    return [
        max(abs(loss) for loss in losses),
        sum(x * loss for x, loss in zip(p, losses)),
        math.log(sum(x * x / y for x, y in zip(p, q))),
        max(abs(x - y) for x, y in zip(p, q)),
        sum(max(0, x - 1.5 * y) for x, y in zip(p, q)),
    ]
