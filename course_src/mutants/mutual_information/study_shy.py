"""Nearly the Z-channel, beyond the factor.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.1, "yes_if_not": 0.0001}
