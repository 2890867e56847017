"""The ones are told truly, and the zeros by a coin.

points:
    die_designed: 1
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "bits", "kept": 1 / (1 + math.exp(-2)), "made": 0.5}
