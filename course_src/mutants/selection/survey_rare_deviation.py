"""The deviation of a ward that nobody means, for all.

points:
    survey_read: 0
"""

# %% survey
def survey(answers, k, epsilon, meant):
    n = len(answers)
    p = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    q = 1 / (math.exp(epsilon) + k - 1)
    said = np.bincount(answers, minlength=k)
    meant = np.array(meant)
    return [((said - n * q) / (p - q)).tolist(), (np.sqrt(n * q * (1 - q)) / (p - q) + 0 * meant).tolist()]
