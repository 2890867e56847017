"""Rounded to whole numbers.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    cost = 2 * 200**2 * 6 * math.log(10)
    return [round(cost / 361), round(1 + math.sqrt(cost / 300)), round(cost / (19 * 59))]
