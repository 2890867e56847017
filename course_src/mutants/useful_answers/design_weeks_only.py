"""The year comes from the weeks.

points:
    year_designed: 1
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 73.727731, 'sigma_year': 73726.731}
