"""The times when she is not drawn are counted twice.

points:
    sample_on_paper: 0
"""

# %% sample_by_hand
def sample_by_hand():
    once = math.log1p(math.exp(1.2) / 25)
    all_told = math.exp(5 * 1.2)
    kept = math.log1p(all_told / 25)
    numbers = [once, 5 * once, kept]
    return [round(number, 4) for number in numbers]
