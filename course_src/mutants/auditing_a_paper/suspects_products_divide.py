"""Plain products, and a division by 0.

points:
    suspects_judged: 0
"""

# %% suspects_weighed
def suspects_weighed(rows, misprint):
    weights = [1.0, 1.0, 1.0]
    for sigma, order, text in rows:
        pairs = order * (order - 1)
        x = pairs / (2 * sigma**2)
        low, high = printed_range(text)
        digits = len(text.partition("e")[0].replace(".", ""))
        luck = misprint / (9 * 10 ** (digits - 1))
        for i, top in enumerate([math.expm1(x), math.exp(x), math.exp(x - 1)]):
            weights[i] *= luck + (1 - misprint if low <= top / pairs <= high else 0)
    return [w / sum(weights) for w in weights]
