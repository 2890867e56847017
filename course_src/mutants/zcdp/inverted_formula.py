"""By the formula.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    level = -math.log(delta)
    return (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2
