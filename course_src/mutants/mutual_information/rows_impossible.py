"""A probability of 0, which is not allowed.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.13, "yes_if_zero": 0.0}
