"""One over delta, and a coarse grid.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    level = -math.log(delta)
    b = np.exp(np.linspace(-7, 14, 40))
    return float(np.max((epsilon - (level - np.log1p(b)) / b - np.log(b) + np.log1p(b)) / (1 + b)))
