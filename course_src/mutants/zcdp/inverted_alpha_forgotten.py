"""The logarithm of alpha is forgotten.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    level = -math.log(delta)

    def least_epsilon(rho):
        low, high = -50.0, 50.0  # logarithms of the order minus 1
        for _ in range(100):
            middle = (low + high) / 2
            b = math.exp(middle)
            low, high = (low, middle) if rho * b * b + math.log1p(b) > level else (middle, high)
        b = math.exp(low)
        return rho * (1 + b) + level / b + low - math.log1p(b)

    low, high = -60.0, 10.0  # logarithms of rho
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if least_epsilon(math.exp(middle)) <= epsilon else (low, middle)
    return math.exp(low)
