"""The mean answer against the line, in view of the mean noise.

points:
    wheels_read: 0
"""

# %% is_in
def is_in(answers, wheels):
    noise = np.mean([np.dot(range(-3, 4), wheel) for wheel in wheels])
    return int(np.mean(answers) - noise > 137.5)
