"""Words are numbered by their factor.

points:
    words_merged: 0
"""

# %% fewest_words
def fewest_words(p, q):
    factors = [None if x == y == 0 else math.inf if y == 0 else x / y for x, y in zip(p, q)]
    known = []
    for value in sorted(f for f in factors if f is not None):
        if not known or not math.isclose(value, known[-1], rel_tol=1e-6):
            known.append(value)
    return [-1 if f is None else min(range(len(known)), key=lambda i: 0 if known[i] == f else abs(known[i] - f))
            for f in factors]
