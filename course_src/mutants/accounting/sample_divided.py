"""Epsilon is divided.

points:
    sample_on_paper: 0
"""

# %% sample_by_hand
def sample_by_hand():
    once = 1.2 / 25
    kept = 5 * once
    numbers = [once, 5 * once, kept]
    return [round(number, 4) for number in numbers]
