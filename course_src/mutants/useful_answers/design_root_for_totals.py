"""The year changes by the root of the visits.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 104.265343, 'sigma_year': 104.265343}
