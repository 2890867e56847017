"""Laplace noise, half of epsilon for each list.

points:
    noise_planned: 1
"""

# %% noise_for_lists
def noise_for_lists():
    return {"mechanism": "Laplace", "scale_days": 1 / 0.25, "scale_questions": 40 / 0.25}
