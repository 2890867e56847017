"""Weighed by the noise and added up.

points:
    patient_found: 2.3
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    hers = [o - (v - w) * batch / speed
            for v, w, o in zip(weights, weights[1:], others)]
    weights = [1 / s**2 for s in sigmas]
    found = sum(w * x for w, x in zip(weights, hers))
    return int(found > rate / 2 * sum(weights))
