"""The two orders are exchanged.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.05, 0.12, 0.42]
