"""The number of evenings stands outside of the root.

points:
    evenings_on_paper: 0
"""

# %% evenings_by_hand
def evenings_by_hand():
    e, log = 0.3, 6 * math.log(10)
    return [round(k * e * (math.tanh(e / 2) + math.sqrt(2 * log)), 2) for k in (100, 400)]
