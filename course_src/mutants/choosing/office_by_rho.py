"""The kind that fits, by rho and the formula.

points:
    offices_served: 2
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    level = -math.log(delta)
    rho = (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2
    sigma = math.sqrt(most / (2 * rho))
    if math.sqrt(2) * most / epsilon < sigma:
        return {"mechanism": "Laplace", "scale": most / epsilon}
    return {"mechanism": "Gaussian", "sigma": sigma}
