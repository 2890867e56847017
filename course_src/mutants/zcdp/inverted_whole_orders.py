"""Orders 2 to 100.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    level = -math.log(delta)
    return max((epsilon - (level - math.log(a)) / (a - 1) - math.log1p(-1 / a)) / a for a in range(2, 101))
