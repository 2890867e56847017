"""The same noise for both lists.

points:
    households_design: 2
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 40 / 0.5, "scale_kinds": 40 / 0.5}
