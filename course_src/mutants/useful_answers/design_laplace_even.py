"""Laplace noise in equal parts.

points:
    year_designed: 1
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Laplace', 'scale_weeks': 540.0, 'scale_quarters': 540.0, 'scale_year': 540.0}
