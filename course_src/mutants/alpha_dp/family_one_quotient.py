"""The account is divided by delta before the logarithm is taken.

points:
    family_followed: 0
"""

# %% family_epsilon
def family_epsilon(claims, people, delta):
    size = 1
    while size < people:
        size *= 2
    best = [math.inf, 0]
    for order, number in claims:
        if order > size:
            halved = order / size
            best = min(best, [math.log((1 + order * (order - 1) * number) / delta) / (halved - 1), halved])
    return best
