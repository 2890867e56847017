"""The closed form, which divides by zero.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    delta = sum(d * (math.exp(people * e) - 1) / (math.exp(e) - 1) for e, d in answers)
    return [people * sum(e for e, _ in answers), min(1.0, delta)]
