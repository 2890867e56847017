"""The root of the number of questions, as for normal noise.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [12.9, 9.9, 16.3]
