"""As if each patient were drawn by lot.

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
    return [((said - n * q) / (p - q)).tolist(), (np.sqrt(n * (x := (meant * p + (n - meant) * q) / n) * (1 - x)) / (p - q)).tolist()]
