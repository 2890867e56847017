"""The sum gets the noise of a count.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    middle = (low + high) / 2
    total = sum(min(high, max(low, value)) - middle for value in values)
    return [
        total + rng.laplace(0, 1 / (part * epsilon)),
        len(values) + rng.laplace(0, 1 / ((1 - part) * epsilon)),
    ]
