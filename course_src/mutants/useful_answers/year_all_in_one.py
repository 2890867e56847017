"""One answer for all histograms.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [84.9, 42.6, 16, 1.4]
