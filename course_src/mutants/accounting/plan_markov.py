"""Renyi divergences and the formula of Markov.

points:
    training_planned: 1
"""

# %% training_plan
def training_plan():
    return {"mechanism": "DP-SGD", "rate": 0.1, "sigma": 5.16}
