"""How likely the word is without her, for the delta of the other order.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.12, 0.61, 0.42]
