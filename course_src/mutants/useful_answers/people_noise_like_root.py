"""The noise of a mean falls like the root of the number.

points:
    people_counted: 0
"""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    noise = math.sqrt(2) * questions * (high - low) / epsilon
    return max(1, math.ceil((deviation**2 + noise**2) / error**2))
