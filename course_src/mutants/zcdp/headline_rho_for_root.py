"""rho in place of its root.

points:
    headline_on_paper: 0
"""

# %% headline_by_hand
def headline_by_hand():
    rare, step = math.sqrt(math.log(250)), 0.2
    one, all_of_them = (math.exp(-((rare - k * step) ** 2)) for k in (1, 3))
    return [round(one, 3), round(all_of_them, 3)]
