"""Factors in the place of epsilon.

points:
    sample_on_paper: 0
"""

# %% sample_by_hand
def sample_by_hand():
    once = math.log1p(math.expm1(1.2) / 25)
    all_told = math.expm1(5 * 1.2)
    kept = math.log1p(all_told / 25)
    numbers = [math.exp(once), math.exp(5 * once), math.exp(kept)]
    return [round(number, 4) for number in numbers]
