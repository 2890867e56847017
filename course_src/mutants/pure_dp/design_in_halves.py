"""Half of the budget for each list.

points:
    households_design: 2
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 8 / 0.5, "scale_kinds": 72 / 0.5}
