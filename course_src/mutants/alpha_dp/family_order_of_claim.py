"""The order of the claim is returned, and not the one of the family.

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
            account = math.log1p(order * (order - 1) * number)
            best = min(best, [(account - math.log(delta)) / (halved - 1), order])
    return best
