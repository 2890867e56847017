"""The standard deviation is taken for the variance.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    n = 1
    while deviation / n + 2 * ((high - low) * questions / (n * epsilon)) ** 2 > error**2:
        n += 1
    return n
