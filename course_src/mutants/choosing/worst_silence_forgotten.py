"""The term of the silence is forgotten.

points:
    worst_desk: 0
"""

# %% worst_word
def worst_word():
    p = math.exp(0.4 - 1.3) / 2
    return {"mechanism": "word", "with_ada": p, "without_her": p**2 / math.exp(0.4)}
