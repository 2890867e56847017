"""Powers that are too large for a float.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    delta = sum(d * sum(math.exp(j * e) for j in range(people)) for e, d in answers)
    return [people * sum(e for e, _ in answers), min(1.0, delta)]
