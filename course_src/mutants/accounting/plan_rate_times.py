"""The rate times the noise without a sample.

points:
    training_planned: 0
"""

# %% training_plan
def without(steps, epsilon):
    from scipy.special import log_ndtr
    from scipy.optimize import brentq

    def gap(s):
        a, b = 1 / (2 * s) - epsilon * s, -1 / (2 * s) - epsilon * s
        return math.exp(log_ndtr(a)) - math.exp(epsilon + log_ndtr(b)) - 1e-5

    return math.sqrt(steps) * 1.0005 * brentq(gap, 0.1, 50)


def training_plan(largest_rate, steps, epsilon):
    rate = largest_rate
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": rate * without(steps, epsilon)}
