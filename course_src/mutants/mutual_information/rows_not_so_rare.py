"""The others say yes three times in 1,000.

points:
    converse_refuted: 1
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.147, "yes_if_zero": 0.003}
