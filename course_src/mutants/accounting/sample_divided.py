"""Epsilon is divided.

points:
    sample_on_paper: 0
"""

# %% sample_by_hand
def sample_by_hand():
    factor = math.expm1(1.2)
    once = 1.2 / 25
    all_told = math.expm1(5 * 1.2)
    kept = 5 * once
    rate = 0.02 / 1.2
    numbers = [once, 5 * once, kept, rate]
    return [round(number, 4) for number in numbers]
