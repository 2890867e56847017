"""Three digits by hand: a yes multiplies odds by a little more than is allowed.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.175, "yes_if_not": 0.0194}
