"""Rounded to two digits, towards less noise.

points:
    die_designed: 0
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": 0.5, "made": 0.11}
