"""All wards are added up.

points:
    wards_kept_apart: 0
"""

# %% ward_till
def ward_till(budget, requests):
    house, wards, answered = 0.0, {}, []
    for place, (ward, epsilon) in enumerate(requests):
        worst = sum(wards.values())
        fits = house + worst + epsilon <= budget
        if fits:
            if ward == 0:
                house += epsilon
            else:
                wards[ward] = wards.get(ward, 0.0) + epsilon
        if fits:
            answered.append(place)
    return answered
