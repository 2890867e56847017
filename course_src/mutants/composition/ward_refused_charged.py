"""Refused questions are charged.

points:
    wards_kept_apart: 0
"""

# %% ward_till
def ward_till(budget, requests):
    house, wards, answered = 0.0, {}, []
    for place, (ward, epsilon) in enumerate(requests):
        worst = max(wards.values(), default=0.0) if ward == 0 else wards.get(ward, 0.0)
        fits = house + worst + epsilon <= budget
        if True:
            if ward == 0:
                house += epsilon
            else:
                wards[ward] = wards.get(ward, 0.0) + epsilon
        if fits:
            answered.append(place)
    return answered
