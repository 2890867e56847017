"""A patient is taken to have one examination.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 8 / 0.5, "scale_kinds": 8 / 0.5}
