"""q is the square of p.

points:
    worst_desk: 0
"""

# %% worst_word
def worst_word():
    r = math.expm1(0.4)
    p = (1 - r) / (1 + r) * (1 + 1e-9)
    return {"mechanism": "word", "with_ada": p, "without_her": p**2}
