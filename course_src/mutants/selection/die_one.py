"""One clinic is named, with the most truth.

points:
    die_designed: 1
"""

# %% die_for_clinics
def die_for_clinics():
    return {"mechanism": "one", "truth": math.exp(2) / (math.exp(2) + 119)}
