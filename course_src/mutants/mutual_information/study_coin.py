"""The coin that carries the budget.

points:
    study_designed: 1
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.64, "yes_if_not": 0.36}
