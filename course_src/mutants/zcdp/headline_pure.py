"""Factors of a pure epsilon.

points:
    headline_on_paper: 0
"""

# %% headline_by_hand
def headline_by_hand():
    one, all_of_them = (math.exp(k * 0.2) / 250 for k in (1, 3))
    return [round(one, 3), round(all_of_them, 3)]
