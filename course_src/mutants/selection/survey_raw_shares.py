"""The shares of the answers as they were given.

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
    deviations = np.sqrt(meant * p * (1 - p) + (n - meant) * q * (1 - q)) / (p - q)
    return [(said / n).tolist(), (deviations / n).tolist()]
