"""Noise for 52 weeks, by the formula.

points:
    plan_designed: 0
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
    level = math.log(1e6)
    rho = (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2
    lengths = {"wards": math.sqrt(52), "diagnoses": 1.0, "diseases": math.sqrt(9)}
    roots = {"wards": math.sqrt(25), "diagnoses": 1.0, "diseases": 1.0}
    whole = sum(lengths[name] * roots[name] for name in lengths)
    noise = {}
    for name in lengths:
        part = rho * lengths[name] * roots[name] / whole
        noise[name] = lengths[name] / math.sqrt(2 * part)
    return {"mechanism": "Gaussian", **noise}
