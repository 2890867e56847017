"""One of the published counts is paid for.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [0.542, 0.958, 1.042, 0.653]
