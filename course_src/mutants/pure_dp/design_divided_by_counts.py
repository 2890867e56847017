"""The budget is divided among the counts.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return {"mechanism": "Laplace", "scale_wards": 7 * 8 / 0.5, "scale_kinds": 12 * 72 / 0.5}
