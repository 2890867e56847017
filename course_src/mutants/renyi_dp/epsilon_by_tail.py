"""An epsilon from the mean of the loss and a Gaussian tail: not sound for a rare, large loss.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    kl = kl_divergence(p, q)
    return min(max_divergence(p, q), kl + math.sqrt(4 * kl * math.log(1 / delta)))
