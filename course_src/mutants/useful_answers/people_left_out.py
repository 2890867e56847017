"""The sensitivity of a row that is left out.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    noise = math.sqrt(2) * questions * max(abs(low), abs(high)) / epsilon
    people = (deviation**2 + math.sqrt(deviation**4 + 4 * error**2 * noise**2)) / (2 * error**2)
    return max(1, math.ceil(people))
