"""The last weight against the first.

points:
    patient_found: 0
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    return int(weights[-1] > weights[0])
