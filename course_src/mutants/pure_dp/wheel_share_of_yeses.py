"""How probable it is that anybody says yes.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 0.4175, 1.179]
