"""The order is divided by the number of people.

points:
    family_followed: 0
"""

# %% family_epsilon
def family_epsilon(claims, people, delta):
    size = people
    best = [math.inf, 0]
    for order, number in claims:
        if order > size:
            halved = order / size
            account = math.log1p(order * (order - 1) * number)
            best = min(best, [(account - math.log(delta)) / (halved - 1), halved])
    return best
