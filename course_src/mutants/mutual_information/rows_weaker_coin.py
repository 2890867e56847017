"""A coin that carries less than it may.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.63, "yes_if_zero": 0.37}
