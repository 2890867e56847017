"""The totals change by the root of the visits.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 127.69846, 'sigma_quarters': 127.69846, 'sigma_year': 127.69846}
