"""In floats, and the logarithm of a δ that is 0 is an error.

points:
    year_of_answers: 0
"""

# %% log_delta_of_year
def log_delta_of_year(sensitivities, sigmas, epsilon):
    from scipy.stats import norm

    mu = math.sqrt(sum((d / s) ** 2 for d, s in zip(sensitivities, sigmas)))
    delta = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    return math.log(delta)
