"""The factor on the probability.

points:
    belief_on_paper: 0
"""

# %% belief_by_hand
def belief_by_hand():
    prior, low, high, tables, error = 20, 4, 50, 11, 40
    odds = prior / (100 - prior)
    up = math.log(high / (100 - high) / odds)
    down = math.log(odds / (low / (100 - low)))
    epsilon, tail = min(up, down), math.log(20)
    epsilon = math.log(min(high / prior, prior / low))
    return [round(epsilon, 2), round(tables / epsilon, 2), round(tables / epsilon * tail, 2), math.floor(error * epsilon / tail)]
