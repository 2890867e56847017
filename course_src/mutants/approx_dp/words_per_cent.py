"""In per cent.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [12.0, 5.0, 42.0]
