"""The same normal noise everywhere.

points:
    year_designed: 2
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 233.144395, 'sigma_year': 233.144395}
