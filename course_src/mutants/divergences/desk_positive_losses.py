"""Only positive losses are averaged.

points:
    desk_on_paper: 0
"""

# %% desk_by_hand
def desk_by_hand():
    p, q = [0.45, 0.25, 0.2, 0.1], [0.2, 0.2, 0.25, 0.35]
    losses = [math.log(x / y) for x, y in zip(p, q)]
    return [
        max(abs(loss) for loss in losses),
        sum(x * loss for x, loss in zip(p, losses) if loss > 0),
        math.log(sum(x * x / y for x, y in zip(p, q))),
        sum(abs(x - y) for x, y in zip(p, q)) / 2,
        sum(max(0, x - 1.5 * y) for x, y in zip(p, q)),
    ]
