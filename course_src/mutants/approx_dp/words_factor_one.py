"""A factor of 1 in the place of 2.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.33, 0.05, 0.42]
