"""What may be carried is taken for bits.

points:
    converse_refuted: 1
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.0925, "yes_if_zero": 0.0001}
