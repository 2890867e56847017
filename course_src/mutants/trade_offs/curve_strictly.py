"""It must fall everywhere.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    a, b = np.array(alarms), np.array(misses)
    slopes = np.diff(b) / np.diff(a)
    good = np.all(np.diff(slopes) >= -1e-6) and np.all(a + b <= 1 + 1e-9) and b.min() >= -1e-9
    return bool(good and np.all(slopes < -1e-9))
