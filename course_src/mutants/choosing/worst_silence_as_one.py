"""The silence counts as if it added 1.

points:
    worst_desk: 1
"""

# %% worst_word
def worst_word():
    p = math.expm1(0.4) / (2 * math.exp(1.3))
    return {"mechanism": "word", "with_ada": p, "without_her": p**2 / math.expm1(0.4)}
