"""The grid for the epsilon of a pair begins at 0, and a division by order - 1 < 0 wins.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    best = math.inf
    for order in np.arange(0.25, 64, 0.5):
        best = min(best, renyi_divergence(p, q, order) - math.log(delta) / (order - 1))
    return best
