"""The 1 is not added to the distance.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    cost = 2 * 200**2 * 6 * math.log(10)
    return [cost / 361, math.sqrt(cost / 300), cost / (19 * 59)]
