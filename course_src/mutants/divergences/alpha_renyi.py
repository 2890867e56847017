"""The Rényi divergence, for orders above 0.

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
    found = right_alpha(p, q, order)
    if order <= 0 or order == 1 or found == math.inf:
        return found
    return math.log1p(order * (order - 1) * found) / (order - 1) if 1 + order * (order - 1) * found > 0 else math.inf
