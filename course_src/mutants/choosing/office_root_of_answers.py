"""Normal noise by the root of all answers; Laplace noise rightly by those that a person is in.

points:
    offices_served: 1
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    def excess(sigma):
        first = log_ndtr(0.5 / sigma - epsilon * sigma)
        second = epsilon + log_ndtr(-0.5 / sigma - epsilon * sigma)
        return first + math.log(-math.expm1(second - first)) - math.log(delta)

    one = brentq(excess, 0.1, 50, xtol=1e-13) * (1 + 1e-9)
    if math.sqrt(2) * most / epsilon < math.sqrt(answers) * one:
        return {"mechanism": "Laplace", "scale": most / epsilon}
    return {"mechanism": "Gaussian", "sigma": math.sqrt(answers) * one}
