"""Pinsker without its root.

points:
    bounds_on_paper: 0
"""

# %% bounds_by_hand
def bounds_by_hand():
    epsilon, n = 0.1, 120
    kl = n * epsilon * math.tanh(epsilon / 2)
    return [(1 + math.tanh(epsilon / 2)) / 2, kl, (1 + kl / 2) / 2]
