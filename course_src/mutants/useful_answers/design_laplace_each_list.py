"""Each list has the whole budget.

points:
    year_designed: 0
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Laplace', 'scale_weeks': 180.0, 'scale_year': 180.0}
