"""The largest loss.

points:
    most_told: 0
"""

# %% most_telling
def most_telling(q, epsilon):
    return epsilon
