"""Rows far from each other that carry nearly all.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.9999, "yes_if_zero": 0.0001}
