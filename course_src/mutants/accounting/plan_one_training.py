"""The numbers of the visible training, whatever is asked for.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan(largest_rate, steps, epsilon):
    rate = 0.12
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": 3.95}
