"""What is left is added up.

points:
    patient_found: 0.7
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    hers = [o - (v - w) * batch / speed
            for v, w, o in zip(weights, weights[1:], others)]
    return int(sum(hers) > len(hers) * rate / 2)
