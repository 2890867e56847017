"""Only the worst word counts.

points:
    words_on_paper: 0
"""

# %% words_by_hand
def words_by_hand():
    return [0.08, 0.05, 0.42]
