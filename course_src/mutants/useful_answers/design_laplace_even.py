"""Laplace noise in equal parts.

points:
    year_designed: 1
"""

# %% noise_for_year
def noise_for_year():
    return {'mechanism': 'Laplace', 'scale_weeks': 360.0, 'scale_year': 360.0}
