"""Each desk has one vote.

points:
    wheels_read: 1.9
"""

# %% is_in
def is_in(answers, wheels):
    def chances(count):
        found = []
        for answer, wheel in zip(answers, wheels):
            noise = answer - count
            found.append(wheel[noise + 3] if abs(noise) <= 3 else 0.0)
        return found

    votes = [x > y for x, y in zip(chances(138), chances(137))]
    return int(sum(votes) >= 2)
