"""Infinite at every zero of one law.

points:
    alpha_values: 0
"""

# %% alpha_divergence
def right_alpha(p, q, order):
    if order < 0.5:
        return right_alpha(q, p, 1 - order)
    if order >= 1 and any(x > 0 and y == 0 for x, y in zip(p, q)):
        return math.inf
    s, total = order - 1, 0.0
    for x, y in zip(p, q):
        if x > 0 and y > 0:
            loss = math.log(x / y)
            total += x * (math.expm1(s * loss) / s if s else loss)
        elif x > 0:
            total -= x / s
    return max(0.0, total / order)


def alpha_divergence(p, q, order):
    if any((x == 0) != (y == 0) for x, y in zip(p, q)):
        return math.inf
    return right_alpha(p, q, order)
