"""The noise for one patient.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 4 / 0.5, "scale_kinds": 12 / 0.5}
