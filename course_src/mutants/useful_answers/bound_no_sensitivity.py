"""The noise is that of a count, whatever the bound.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    return [max(report), math.sqrt(2) / (people * epsilon)]
