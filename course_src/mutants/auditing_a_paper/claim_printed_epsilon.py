"""The printed number is taken for the exact one.

points:
    claim_tested: 0
"""

# %% times_delta
def times_delta(k, sigma, delta, text):
    from scipy.special import log_ndtr

    mu = math.sqrt(k) / sigma
    epsilon = float(text)
    first = log_ndtr(mu / 2 - epsilon / mu)
    second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    log_true = first + math.log(-math.expm1(second - first))
    return math.exp(log_true - math.log(delta))
