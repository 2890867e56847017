"""A pair says something at its own ε and above, and nothing below.

points:
    pairs_together: 0
"""

# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    return min([d for e, d in pairs if e <= epsilon], default=1.0)
