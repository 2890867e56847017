"""The δ of Near and Abuah.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    cost = 2 * 200**2 * 5 * math.log(10)
    return [cost / 361, 1 + math.sqrt(cost / 300), cost / (19 * 59)]
