"""The right shares, by the textbook.

points:
    noise_planned: 2
"""

# %% noise_for_lists
def noise_for_lists():
    unit = 8.0576185  # the least deviation for sensitivity 1
    textbook = math.sqrt(2 * math.log(1.25e6)) / 0.5
    return {"mechanism": "Gaussian", "sigma_days": math.sqrt(3.828427) * textbook, "sigma_questions": math.sqrt(54.142136) * textbook}
