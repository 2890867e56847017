"""The minus of a step is forgotten.

points:
    patient_found: 0
"""

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = answers
    loss = 0.0
    for t, sigma in enumerate(sigmas):
        total = (weights[t + 1] - weights[t]) * batch / speed
        hers = others[t] - total  # 1 if she was drawn, plus noise
        ratio = math.exp((2 * hers - 1) / (2 * sigma**2))
        loss += math.log(1 - rate + rate * ratio)
    return 1 if loss > 0 else 0
