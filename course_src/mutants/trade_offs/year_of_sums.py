"""Sum of the sensitivities over the noise of the sum.

points:
    year_of_answers: 0
"""

# %% log_delta_of_year
def log_delta_of_year(sensitivities, sigmas, epsilon):
    from scipy.special import log_ndtr

    mu = sum(sensitivities) / math.sqrt(sum(g**2 for g in sigmas))
    first = log_ndtr(mu / 2 - epsilon / mu)
    second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(first + math.log(-math.expm1(second - first)))
