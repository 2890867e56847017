"""Each count has the whole budget.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [12.9, 4.4, 13.6]
