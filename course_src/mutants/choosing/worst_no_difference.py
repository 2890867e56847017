"""The same with Ada and without her.

points:
    worst_desk: 0
"""

# %% worst_word
def worst_word():
    p = 0.3
    return {"mechanism": "word", "with_ada": p, "without_her": 0.3}
