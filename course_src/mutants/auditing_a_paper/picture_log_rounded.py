"""log 10 is rounded to 2.3 before it is used.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    cost = 2 * 200**2 * 6 * 2.3
    return [cost / 361, 1 + math.sqrt(cost / 300), cost / (19 * 59)]
