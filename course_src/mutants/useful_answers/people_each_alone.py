"""Both errors alone are small enough.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    noise = math.sqrt(2) * questions * (high - low) / epsilon
    return max(1, math.ceil((deviation / error) ** 2), math.ceil(noise / error))
