"""Least squares, rounded to the nearest number, be it 2.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    return [round(x) for x in np.linalg.lstsq(groups, answers, rcond=None)[0]]
