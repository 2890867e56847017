"""The epsilons are added first.

points:
    bounds_on_paper: 0
"""

# %% bounds_by_hand
def bounds_by_hand():
    epsilon, n = 0.1, 120
    kl = n * epsilon * math.tanh(n * epsilon / 2)
    return [(1 + math.tanh(epsilon / 2)) / 2, kl, 0.774]
