"""The textbook formula for normal noise.

points:
    offices_served: 2
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    one = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    if math.sqrt(2) * most / epsilon < math.sqrt(most) * one:
        return {"mechanism": "Laplace", "scale": most / epsilon}
    return {"mechanism": "Gaussian", "sigma": math.sqrt(most) * one}
