"""The touching point with (order - 1) in place of its square.

points:
    touching: 0
"""

# %% touching_point
def touching_point(sigma, order, delta):
    return 2 * sigma**2 * math.log(1 / delta) / (order - 1)
