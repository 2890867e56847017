"""A mechanism adds uniform noise of the right variance instead of the right distribution.

points:
    mechanism_law: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    sigma = sensitivity * math.sqrt(order / (2 * epsilon_bar))
    return [x + sigma * math.sqrt(12) * (rng.random() - 0.5) for x in vector]
