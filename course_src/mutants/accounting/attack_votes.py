"""Each step has a vote.

points:
    patient_found: 0.5
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    hers = [o - (v - w) * batch / speed
            for v, w, o in zip(weights, weights[1:], others)]
    return int(sum(x > 0.5 for x in hers) >= 4)
