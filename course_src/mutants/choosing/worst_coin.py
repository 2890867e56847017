"""A coin: q = 1 - p.

points:
    worst_desk: 0
"""

# %% worst_word
def worst_word():
    p = brentq(lambda p: p**2 / (1 - p) + (1 - p) ** 2 / p - math.exp(0.4), 0.5, 0.99) * (1 - 1e-9)
    return {"mechanism": "word", "with_ada": p, "without_her": 1 - p}
