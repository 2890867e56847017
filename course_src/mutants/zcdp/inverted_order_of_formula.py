"""The better conversion at the order that is best for the formula.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    level = -math.log(delta)

    def least(rho):
        a = 1 + math.sqrt(level / rho)
        return rho * a + (level - math.log(a)) / (a - 1) + math.log1p(-1 / a)

    low, high = 0.0, 2000.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if least(middle) > epsilon else (middle, high)
    return low
