"""Both rows count alike in the mean.

points:
    doctor_on_paper: 0
"""

# %% doctor_by_hand
def doctor_by_hand():
    w = 20 / 100
    rows = [[0.6, 0.1, 0.3], [0.1, 0.7, 0.2]]
    mixture = [w * a + (1 - w) * b for a, b in zip(*rows)]
    one, other = (
        sum(x * math.log(x / y) for x, y in zip(row, mixture)) for row in rows)
    after = w * 0.6 / mixture[0]
    left = -after * math.log(after) - (1 - after) * math.log(1 - after)
    return [round(x, 4) for x in (after, left, one, (one + other) / 2)]
