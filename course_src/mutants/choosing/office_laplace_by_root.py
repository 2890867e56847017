"""Laplace noise by the root of the number of answers.

points:
    offices_served: 0
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    return {"mechanism": "Laplace", "scale": math.sqrt(most) / epsilon}
