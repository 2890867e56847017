"""The number of counts is left as a fraction.

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
    return [round(epsilon, 2), round(tables / epsilon, 2), round(tables / epsilon * tail, 2), round(error * epsilon / tail, 2)]
