"""Orders up to 1000, on a grid that is not dense in the logarithm.

points:
    rho_inverted: 0
"""

# %% rho_permitted
def rho_permitted(epsilon, delta):
    a = np.linspace(1.01, 1000, 100000)
    r = (epsilon - (math.log(1 / delta) - np.log(a)) / (a - 1) - np.log(1 - 1 / a)) / a
    return r.max()
