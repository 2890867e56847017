"""The loss without a sample.

points:
    patient_found: 0.1
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    hers = [o - (v - w) * batch / speed
            for v, w, o in zip(weights, weights[1:], others)]
    return int(sum((2 * x - 1) / s**2 for x, s in zip(hers, sigmas)) > 0)
