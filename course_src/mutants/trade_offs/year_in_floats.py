"""In floats, where δ is 0 far out.

points:
    year_of_answers: 0
"""

# %% log_delta_of_year
def log_delta_of_year(sensitivities, sigmas, epsilon):
    from scipy.stats import norm

    mu = np.linalg.norm(np.array(sensitivities) / np.array(sigmas))
    delta = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    return float(np.log(max(delta, 0.0)))
