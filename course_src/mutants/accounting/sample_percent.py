"""In percent.

points:
    sample_on_paper: 0
"""

# %% sample_by_hand
def sample_by_hand():
    factor = math.expm1(1.2)
    once = math.log1p(factor / 25)
    all_told = math.expm1(5 * 1.2)
    kept = math.log1p(all_told / 25)
    rate = math.expm1(0.02) / factor
    numbers = [100 * x for x in (once, 5 * once, kept, rate)]
    return [round(number, 4) for number in numbers]
