"""Ada is on the list of C only.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.692, 0.2, 5.571]
