"""Where nobody is in the table, two zeros are returned without noise.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    if len(values) == 0:
        return [0.0, 0.0]
    middle = (low + high) / 2
    total = np.sum(np.clip(values, low, high) - middle)
    return [
        total + rng.laplace(0.0, (high - low) / 2 / (part * epsilon)),
        len(values) + rng.laplace(0.0, 1 / ((1 - part) * epsilon)),
    ]
