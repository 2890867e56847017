"""The better conversion of the chapter, where Markov's was asked for.

points:
    conversion: 0
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    if not order > 1 or not 0 < delta < 1:
        raise ValueError("order > 1 and 0 < delta < 1")
    second = (math.log(1 / delta) - math.log(order)) / (order - 1)
    return max(0.0, epsilon_bar + second + math.log(1 - 1 / order))
