"""Each bit turned over.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    from scipy.optimize import linprog

    g = np.array(groups, dtype=float)
    rows = np.block([[g, -np.eye(100)], [-g, -np.eye(100)]])
    found = linprog([0] * 20 + [1] * 100, rows, list(answers) + [-a for a in answers], bounds=[(0, 1)] * 20 + [(0, None)] * 100)
    return [1 - round(x) for x in found.x[:20]]
