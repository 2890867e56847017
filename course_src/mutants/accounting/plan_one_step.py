"""The noise of one step.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.1, "sigma": 1.0}
