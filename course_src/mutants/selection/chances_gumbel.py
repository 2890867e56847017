"""The exponential mechanism, whatever the noise.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    weights = np.exp((np.array(scores) - max(scores)) / scale)
    return weights / weights.sum()
