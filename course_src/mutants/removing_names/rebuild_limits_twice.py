"""The limits are the answers twice: the minus is forgotten.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    from scipy.optimize import linprog

    g = np.array(groups, dtype=float)
    rows = np.block([[g, -np.eye(100)], [-g, -np.eye(100)]])
    found = linprog([0] * 20 + [1] * 100, rows, list(answers) * 2, bounds=[(0, 1)] * 20 + [(0, None)] * 100)
    return [round(x) for x in found.x[:20]]
