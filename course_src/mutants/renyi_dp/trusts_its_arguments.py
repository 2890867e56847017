"""The numbers are right, but nothing is refused: zip stops at the shorter list.

points:
    renyi_errors: 0
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    pairs = [(float(x), float(y)) for x, y in zip(p, q) if x > 0]
    if order == 1:
        return kl_divergence(p, q)
    if order == math.inf:
        return max_divergence(p, q)
    if order > 1 and any(y == 0 for _, y in pairs):
        return math.inf
    pairs = [(x, y) for x, y in pairs if y > 0]
    if not pairs:
        return math.inf
    losses = [(order - 1) * math.log(x / y) for x, y in pairs]
    if max(map(abs, losses)) < 0.5 and abs(math.fsum(x for x, _ in pairs) - 1) < 1e-9:
        total = math.fsum(x * math.expm1(loss) for (x, _), loss in zip(pairs, losses))
        return math.log1p(total) / (order - 1)
    terms = [math.log(x) + loss for (x, _), loss in zip(pairs, losses)]
    top = max(terms)
    return (top + math.log(math.fsum(math.exp(t - top) for t in terms))) / (order - 1)
