"""e times the nats for the share, which holds for tiny ones only.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": math.e * 0.05, "yes_if_zero": 0.0001}
