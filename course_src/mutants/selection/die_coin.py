"""The truth of a coin, for 120 clinics.

points:
    die_designed: 0
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "one", "truth": 1 / (1 + math.exp(-2))}
