"""The same normal noise everywhere.

points:
    year_designed: 2
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 321.367408, 'sigma_quarters': 321.367408, 'sigma_year': 321.367408}
