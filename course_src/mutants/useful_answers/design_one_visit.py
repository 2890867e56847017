"""A patient comes once.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 34.755114, 'sigma_year': 34.755114}
