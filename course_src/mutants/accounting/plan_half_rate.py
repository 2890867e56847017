"""Half of the rate, exactly.

points:
    training_planned: 2
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.05, "sigma": 2.144}
