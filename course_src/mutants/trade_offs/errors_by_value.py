"""Cards are bought by their probability with Ada: green, the most likely one, first.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [0.3, 0.78, 0.472]
