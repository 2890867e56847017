"""The largest ε that is printed like the promised one.

points:
    noise_design: 0
"""

# %% noise_of_counts
def noise_of_counts():
    return {"mechanism": "Gaussian", "sigma": 103.98}
