"""A patient comes once.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 42.566154, 'sigma_quarters': 42.566154, 'sigma_year': 42.566154}
