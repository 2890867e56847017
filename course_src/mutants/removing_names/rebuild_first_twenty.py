"""As many equations as unknowns.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    found = np.linalg.lstsq(np.array(groups[:20], dtype=float), np.array(answers[:20], dtype=float), rcond=None)[0]
    return [int(x > 0.5) for x in found]
