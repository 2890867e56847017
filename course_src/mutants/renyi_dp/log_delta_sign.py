"""log(delta) in the place of log(1/delta): a smaller delta seems to cost less.

The epsilon of a pair converts with this function: right, given a right one.

points:
    conversion: 0
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    if not order > 1 or not 0 < delta < 1:
        raise ValueError("order > 1 and 0 < delta < 1")
    return epsilon_bar + math.log(delta) / (order - 1)
