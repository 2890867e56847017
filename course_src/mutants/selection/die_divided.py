"""The budget is divided among all bits.

points:
    die_designed: 0
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": 1 / (1 + math.exp(-2 / 120)), "made": 1 / (1 + math.exp(2 / 120))}
