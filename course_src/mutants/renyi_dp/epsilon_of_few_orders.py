"""The whole orders up to 100: laws that are close need larger ones.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    return min(rdp_to_epsilon(a, renyi_divergence(p, q, a), delta) for a in range(2, 101))
