"""Another die: a fair roll of all k, which may give the truth as well.

points:
    survey_read: 0
"""

# %% survey
def survey(answers, k, epsilon, meant):
    n = len(answers)
    p = (math.exp(epsilon) + 1) / (math.exp(epsilon) + k)
    q = 1 / (math.exp(epsilon) + k)
    said = np.bincount(answers, minlength=k)
    meant = np.array(meant)
    return [((said - n * q) / (p - q)).tolist(), (np.sqrt(meant * p * (1 - p) + (n - meant) * q * (1 - q)) / (p - q)).tolist()]
