"""Only the last step.

points:
    patient_found: 0.4
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    hers = [o - (v - w) * batch / speed
            for v, w, o in zip(weights, weights[1:], others)]
    x, s = hers[-1], sigmas[-1]
    return int((2 * x - 1) / (2 * s**2) > 0)
