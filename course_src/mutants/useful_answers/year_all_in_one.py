"""One answer for all histograms.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [141.4, 64.2, 13, 2.4]
