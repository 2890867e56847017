"""The epsilon of a pair is its max divergence: sound, and useless for noisy counts.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    return max_divergence(p, q)
