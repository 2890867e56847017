"""The scale is taken for the standard deviation.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    noise = questions * (high - low) / epsilon
    people = (deviation**2 + math.sqrt(deviation**4 + 4 * error**2 * noise**2)) / (2 * error**2)
    return max(1, math.ceil(people))
