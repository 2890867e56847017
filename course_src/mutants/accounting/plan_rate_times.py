"""The rate times the noise without a sample.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.1, "sigma": 3.732}
