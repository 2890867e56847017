"""True or False for each request.

points:
    wards_kept_apart: 0
"""

# %% ward_till
def ward_till(budget, requests):
    house, wards, answered = 0.0, {}, []
    for ward, epsilon in requests:
        worst = max(wards.values(), default=0.0) if ward == 0 else wards.get(ward, 0.0)
        answered.append(house + worst + epsilon <= budget)
        if answered[-1] and ward == 0:
            house += epsilon
        elif answered[-1]:
            wards[ward] = wards.get(ward, 0.0) + epsilon
    return answered
