"""The larger epsilon of both directions.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    orders = [1 + 1.3**j for j in range(-20, 45)]
    one = min(rdp_to_epsilon(a, renyi_divergence(p, q, a), delta) for a in orders)
    other = min(rdp_to_epsilon(a, renyi_divergence(q, p, a), delta) for a in orders)
    return max(one, other)
