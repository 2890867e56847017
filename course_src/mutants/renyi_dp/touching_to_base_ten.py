"""The touching point with a logarithm to base 10.

points:
    touching: 0
"""

# %% touching_point
def touching_point(sigma, order, delta):
    return 2 * sigma**2 * math.log10(1 / delta) / (order - 1) ** 2
