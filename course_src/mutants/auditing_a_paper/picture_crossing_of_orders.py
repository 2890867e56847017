"""The lines cross where the orders themselves say.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    cost = 2 * 200**2 * 6 * math.log(10)
    return [cost / 361, 1 + math.sqrt(cost / 300), cost / (20 * 60)]
