"""Half of the budget for each list, for one patient.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 2 / 0.5, "scale_kinds": 18 / 0.5}
