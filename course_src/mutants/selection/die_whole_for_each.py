"""Each bit has the whole epsilon.

points:
    die_designed: 0
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": 1 / (1 + math.exp(-2)), "made": 1 / (1 + math.exp(2))}
