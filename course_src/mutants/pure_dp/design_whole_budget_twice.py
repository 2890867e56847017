"""Each list gets the whole budget.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 4 / 0.5, "scale_kinds": 36 / 0.5}
