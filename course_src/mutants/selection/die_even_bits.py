"""Bits, each told truly with the same probability.

points:
    die_designed: 2
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": math.e / (1 + math.e), "made": 1 / (1 + math.e)}
