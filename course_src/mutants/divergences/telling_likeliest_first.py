"""The answers are raised one after another, the likeliest first.

points:
    most_told: 0
"""

# %% most_telling
def most_telling(q, epsilon):
    low, high = math.exp(-epsilon), math.exp(epsilon)
    room, total = 1 - low, 0.0
    for y in sorted((y for y in q if y > 0), reverse=True):
        more = min(room, (high - low) * y)
        room -= more
        x = low * y + more
        total += x * math.log(x / y)
    return total
