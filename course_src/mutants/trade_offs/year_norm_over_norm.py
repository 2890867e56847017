"""The norm of all sensitivities over the norm of all noise.

points:
    year_of_answers: 0
"""

# %% log_delta_of_year
def log_delta_of_year(sensitivities, sigmas, epsilon):
    from scipy.special import log_ndtr

    mu = math.hypot(*sensitivities) / math.hypot(*sigmas)
    first = log_ndtr(mu / 2 - epsilon / mu)
    second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(first + math.log(-math.expm1(second - first)))
