"""The infinite loss is not counted.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.12, 0.05, 0.38]
