"""Returns δ.

points:
    year_of_answers: 0
"""

# %% log_delta_of_year
def log_delta_of_year(sensitivities, sigmas, epsilon):
    from scipy.special import log_ndtr

    mu = math.sqrt(sum((s / g) ** 2 for s, g in zip(sensitivities, sigmas)))
    first = log_ndtr(mu / 2 - epsilon / mu)
    second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return math.exp(first + math.log(-math.expm1(second - first)))
