"""The chapter's 3.69 times e^epsilon, as it is.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 44.954, 0.335, 1800]
