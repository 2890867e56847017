"""Everybody in each step.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 1.0, "sigma": 37.32}
