"""What is carried to a belief of 50 % is taken for the capacity.

points:
    study_designed: 0
"""

# %% study
def study():
    return {"mechanism": "instrument", "yes_if_ill": 0.1785, "yes_if_not": 0.01984}
