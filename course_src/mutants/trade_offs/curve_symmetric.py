"""It must be its own mirror image.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    a, b = np.array(alarms), np.array(misses)
    slopes = np.diff(b) / np.diff(a)
    x = np.linspace(0, 1, 301)
    y = np.interp(x, a, b)
    mirror = np.interp(y, a, b)
    if np.any(np.abs(mirror - x)[y > 1e-6] > 1e-6):
        return False
    return bool(np.all(np.diff(slopes) >= -1e-6) and np.all(a + b <= 1 + 1e-9) and b.min() >= -1e-9)
