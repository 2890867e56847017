"""All totals come from the weeks.

points:
    year_designed: 2
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Gaussian', 'sigma_weeks': 73.72740399999999, 'sigma_quarters': 73727.40300399999, 'sigma_year': 73727.40300399999}
