"""Ones with a half, and only half of the budget.

points:
    die_designed: 0
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": 0.5, "made": 1 / (1 + math.e)}
