"""Compared without a tolerance.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    x, y = np.array(alarms), np.array(misses)
    slopes = np.diff(y) / np.diff(x)
    return bool(np.all(np.diff(slopes) >= 0) and np.all(x + y <= 1) and np.all(y >= 0))
