"""The logarithm has base 10.

points:
    evenings_on_paper: 0
"""

# %% evenings_by_hand
def evenings_by_hand():
    e, k, log = 0.3, 100, 6
    return [round(k * e * math.tanh(e / 2) + e * math.sqrt(2 * k * log), 2), round(4 * k * e * math.tanh(e / 2) + 2 * e * math.sqrt(2 * k * log), 2)]
