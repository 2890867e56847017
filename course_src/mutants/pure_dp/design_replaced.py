"""The noise for households that are replaced.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 16 / 0.5, "scale_kinds": 144 / 0.5}
