"""Renyi divergences and the better conversion.

points:
    training_planned: 2
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.1, "sigma": 4.28}
