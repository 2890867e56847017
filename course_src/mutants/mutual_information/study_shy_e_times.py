"""The Z-channel with e times the nats for its share, and one yes in 1,000 of the healthy.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": math.e * 0.04, "yes_if_not": 0.001}
