"""The noise of a count is taken for that of a sum.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    n = 1
    while deviation**2 / n + 2 * (questions / (n * epsilon)) ** 2 > error**2:
        n += 1
    return n
