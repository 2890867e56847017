"""Laplace noise for everybody.

points:
    offices_served: 1
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    return {"mechanism": "Laplace", "scale": most / epsilon}
