"""The Renyi divergence grows by the square of the order.

points:
    release_on_paper: 0
"""

# %% release_by_hand
def release_by_hand():
    sigma, most, counts, order = 7, 6, 42, 4
    mu = math.sqrt(most) / sigma
    rho = mu**2 / 2
    bend = math.exp((order - 1) * order * rho)
    right = {"mu": mu, "rho": rho, "renyi": order * rho, "alpha": (bend - 1) / (order * (order - 1)), "pure": most * math.sqrt(2) / sigma}
    right["renyi"] = order**2 * rho
    return [round(x, 3) for x in right.values()]
