"""The way from rho to epsilon.

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
        return rho * (1 + b) + (level - math.log1p(b)) / b + low - math.log1p(b)

    return least_epsilon(epsilon)
