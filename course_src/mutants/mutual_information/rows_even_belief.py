"""What is carried to a belief of 50 % is taken for the capacity.

points:
    converse_refuted: 0
"""

# %% far_rows
def far_rows():
    return {"mechanism": "two answers", "yes_if_one": 0.1379, "yes_if_zero": 0.0001}
