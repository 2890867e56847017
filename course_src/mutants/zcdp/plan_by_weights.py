"""In proportion to the weight: the second step, since the noise is exact.

points:
    plan_designed: 2
"""

# %% noise_of_plan
def noise_of_plan():
    epsilon, delta = 0.8, 1e-6

    def below(x):  # the standard normal distribution function
        return math.erfc(-x / math.sqrt(2)) / 2

    def delta_of(mu):
        return below(mu / 2 - epsilon / mu) - math.exp(epsilon) * below(-mu / 2 - epsilon / mu)

    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) <= delta else (low, middle)
    rho = low**2 / 2
    lengths = {"wards": math.sqrt(16), "diagnoses": 1.0, "diseases": math.sqrt(9)}
    roots = {"wards": 25.0, "diagnoses": 1.0, "diseases": 1.0}
    whole = sum(lengths[name] * roots[name] for name in lengths)
    noise = {}
    for name in lengths:
        part = rho * lengths[name] * roots[name] / whole
        noise[name] = lengths[name] / math.sqrt(2 * part)
    return {"mechanism": "Gaussian", **noise}
