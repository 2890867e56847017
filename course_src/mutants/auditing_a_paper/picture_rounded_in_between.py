"""log(1/delta) is rounded to two places, and so is what is multiplied by it.

points:
    picture_on_paper: 0
"""

# %% picture_by_hand
def picture_by_hand():
    return [3062.6, 61.7, 986.7]
