"""The second number is in percent.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [1.03, 35.8]
