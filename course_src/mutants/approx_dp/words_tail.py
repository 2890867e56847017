"""How often the loss is above log 2, for delta.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.42, 0.05, 0.42]
