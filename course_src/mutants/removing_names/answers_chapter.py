"""The formula of the chapter, for one count at 95 %.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [385, 1153]
