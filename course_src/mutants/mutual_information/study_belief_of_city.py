"""The nats are those to a belief of 5 %, the share of the ill.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.558, "yes_if_not": 0.0621}
