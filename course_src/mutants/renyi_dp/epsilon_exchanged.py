"""The powers of the two laws change places in a divergence of its own.

points:
    sound_epsilon: 0
"""

# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    p, q = np.log(p), np.log(q)
    found = []
    for j in range(-20, 45):
        order = 1 + 1.3**j
        terms = order * q + (1 - order) * p
        top = terms.max()
        total = top + np.log(np.exp(terms - top).sum())
        found.append((total + math.log(1 / delta)) / (order - 1))
    return float(min(found))
