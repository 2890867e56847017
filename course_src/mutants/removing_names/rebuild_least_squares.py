"""Least squares.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    found = np.linalg.lstsq(np.array(groups, dtype=float), np.array(answers, dtype=float), rcond=None)[0]
    return (found > 0.5).astype(int)
