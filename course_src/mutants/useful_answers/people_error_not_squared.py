"""The sum of the variances is held against the error, not its square.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    n = 1
    while deviation**2 / n + 2 * ((high - low) * questions / (n * epsilon)) ** 2 > error:
        n += 1
    return n
