"""The coin with the whole factor.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.9, "yes_if_not": 0.1}
