"""The tail is computed as 1 less something: the tiny delta is lost.

points:
    offices_served: 0
"""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    def delta_of(sigma):
        above = 1 - ndtr(epsilon * sigma - 0.5 / sigma)
        return above - math.exp(epsilon) * (1 - ndtr(epsilon * sigma + 0.5 / sigma))

    low, high = 0.1, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    if math.sqrt(2) * most / epsilon < math.sqrt(most) * high:
        return {"mechanism": "Laplace", "scale": most / epsilon}
    return {"mechanism": "Gaussian", "sigma": math.sqrt(most) * high}
