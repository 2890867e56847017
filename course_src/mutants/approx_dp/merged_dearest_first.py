"""Takes them in the wrong order.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    factor = math.exp(epsilon)
    total = slack = 0.0
    rest = []
    for a, b in zip(p, q):
        if a > factor * b:
            total += a
            slack += a - factor * b
        elif a > 0:
            rest.append((a, b))
    if slack == 0:
        return 0.0
    rest.sort(key=lambda pair: pair[0] / pair[1])
    for a, b in rest:
        price = factor * b - a
        if price <= slack:
            total += a
            slack -= price
        else:
            total += a * slack / price
            break
    return min(1.0, total)
