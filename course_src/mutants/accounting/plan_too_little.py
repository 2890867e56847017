"""Less noise than the promise needs.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.1, "sigma": 3.8}
