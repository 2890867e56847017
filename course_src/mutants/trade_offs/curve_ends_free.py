"""Convex, falling and no less than 0; the ends are not looked at.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    a, b = np.array(alarms), np.array(misses)
    slopes = np.diff(b) / np.diff(a)
    return bool(np.all(np.diff(slopes) >= -1e-6) and np.all(slopes <= 1e-9) and b.min() >= -1e-9)
