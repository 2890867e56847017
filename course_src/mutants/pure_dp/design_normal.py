"""Normal noise, which keeps no epsilon without an exception.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Gaussian", "sigma_wards": 32.0, "sigma_kinds": 96.0}
