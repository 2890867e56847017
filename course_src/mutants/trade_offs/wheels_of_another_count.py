"""The count of another student's version.

points:
    wheels_read: 0
"""

# %% is_in
def is_in(answers, wheels):
    def chances(count):
        found = []
        for answer, wheel in zip(answers, wheels):
            noise = answer - count
            found.append(wheel[noise + 3] if abs(noise) <= 3 else 0.0)
        return found

    return int(math.prod(chances(141)) > math.prod(chances(140)))
