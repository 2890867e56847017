"""Probabilities are added.

points:
    wheels_read: 2.5
"""

# %% is_in
def is_in(answers, wheels):
    def chances(count):
        found = []
        for answer, wheel in zip(answers, wheels):
            noise = answer - count
            found.append(wheel[noise + 3] if abs(noise) <= 3 else 0.0)
        return found

    return int(sum(chances(138)) > sum(chances(137)))
