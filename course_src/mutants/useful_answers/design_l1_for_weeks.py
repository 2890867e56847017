"""The weeks change by the number of visits.

points:
    year_designed: 1
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 312.79603, 'sigma_year': 312.79603}
