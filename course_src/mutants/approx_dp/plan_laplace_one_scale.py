"""Laplace noise of one scale.

points:
    noise_planned: 1
"""

# %% noise_for_lists
def noise_for_lists():
    unit = 8.0576185  # the least deviation for sensitivity 1
    textbook = math.sqrt(2 * math.log(1.25e6)) / 0.5
    return {"mechanism": "Laplace", "scale_days": 41 / 0.5 * 1.0000001, "scale_questions": 41 / 0.5 * 1.0000001}
