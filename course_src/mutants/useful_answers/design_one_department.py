"""Enough for one department.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 23.31444, 'sigma_year': 69.943319}
