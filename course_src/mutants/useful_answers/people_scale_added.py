"""The scale is taken for the standard deviation, and standard deviations are added.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    n = 1
    while deviation / math.sqrt(n) + (high - low) * questions / (n * epsilon) > error:
        n += 1
    return n
