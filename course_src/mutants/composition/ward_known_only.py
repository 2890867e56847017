"""The whole house is charged to the wards that were asked about so far.

points:
    wards_kept_apart: 0
"""

# %% ward_till
def ward_till(budget, requests):
    spent, answered = {}, []
    for place, (ward, epsilon) in enumerate(requests):
        those = list(spent) if ward == 0 else [ward]
        if epsilon <= budget and all(spent.get(one, 0.0) + epsilon <= budget for one in those):
            answered.append(place)
            for one in those:
                spent[one] = spent.get(one, 0.0) + epsilon
    return answered
