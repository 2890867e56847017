"""The mean of the values is subtracted.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    middle = float(np.mean(np.clip(values, low, high))) if values else 0
    total = sum(min(high, max(low, value)) - middle for value in values)
    in_sum = (high - low) / 2 / (part * epsilon)
    in_count = 1 / ((1 - part) * epsilon)
    return [total + rng.laplace(0.0, in_sum), len(values) + rng.laplace(0.0, in_count)]
