"""Randomized response is given its pure-DP value at every order.

points:
    response_curve: 0
"""

# %% randomized_response_renyi
def randomized_response_renyi(keep, order):
    return abs(math.log(keep) - math.log(1 - keep))
