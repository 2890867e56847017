"""Two functions print their answers and return nothing.

points:
    kl_values: 0
    touching: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    print(sum(x * math.log(x / y) if y else math.inf for x, y in zip(p, q) if x))


# %% touching_point
def touching_point(sigma, order, delta):
    print(2 * sigma**2 * math.log(1 / delta) / (order - 1) ** 2)
