"""The claim that is best for one patient is brought to the family.

points:
    family_followed: 0
"""

# %% family_epsilon
def family_epsilon(claims, people, delta):
    def one(claim):
        order, number = claim
        return (math.log1p(order * (order - 1) * number) - math.log(delta)) / (order - 1)

    order, number = min(claims, key=one)
    size = 2 ** math.ceil(math.log2(people))
    if order <= size:
        return [math.inf, 0]
    account = math.log1p(order * (order - 1) * number)
    return [(account - math.log(delta)) / (order / size - 1), order / size]
