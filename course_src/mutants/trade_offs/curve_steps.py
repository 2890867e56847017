"""Steps of the misses are compared, not slopes.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    a, b = np.array(alarms), np.array(misses)
    slopes = np.diff(b) / np.diff(a)
    return bool(np.all(np.diff(b, n=2) >= -1e-9) and np.all(a + b <= 1 + 1e-9) and b.min() >= -1e-9)
