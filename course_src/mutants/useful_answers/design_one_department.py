"""Enough for one department.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 28.554244, 'sigma_quarters': 85.662731, 'sigma_year': 85.662731}
