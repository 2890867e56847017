"""Twenty thousand draws, which is not exact enough.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    rng = np.random.default_rng(1)
    draws = getattr(rng, noise)(scale=scale, size=(20_000, len(scores))) + np.array(scores)
    return np.bincount(draws.argmax(axis=1), minlength=len(scores)) / 20_000
