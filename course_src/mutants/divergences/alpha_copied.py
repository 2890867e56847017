"""The formula, copied, with the limits at 0 and 1.

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
    if order in (0, 1):
        return right_alpha(p, q, order)
    total = 0.0
    for x, y in zip(p, q):
        if x == 0 and y == 0:
            continue
        if (x == 0 and order < 0) or (y == 0 and order > 1):
            return math.inf
        if x > 0 and y > 0:
            total += x**order * y ** (1 - order)
    return (total - 1) / (order * (order - 1))
