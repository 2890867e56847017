"""Every curve is one.

points:
    curves_judged: 0
"""

# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    return True
