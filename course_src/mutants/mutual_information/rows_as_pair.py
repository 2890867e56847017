"""A pair in the place of the record.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return [0.13, 0.0001]
