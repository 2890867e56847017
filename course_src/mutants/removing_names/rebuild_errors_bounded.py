"""The errors are bounded by 1, as the bits are: where there are lies nothing is found.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    from scipy.optimize import linprog

    g = np.array(groups, dtype=float)
    rows = np.block([[g, -np.eye(100)], [-g, -np.eye(100)]])
    limits = np.concatenate([answers, -np.array(answers)])
    found = linprog([0] * 20 + [1] * 100, rows, limits, bounds=(0, 1))
    return [round(x) for x in found.x[:20]]
