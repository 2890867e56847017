"""Least squares, and int() cuts 0.9999999 off to 0.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    found = np.linalg.lstsq(np.array(groups, dtype=float), np.array(answers, dtype=float))[0]
    return [int(x) for x in found]
