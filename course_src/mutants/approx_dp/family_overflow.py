"""e to a large power is an error.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    delta = sum(d * math.exp(i * e) for e, d in answers for i in range(people))
    return [people * sum(e for e, _ in answers), min(1.0, delta)]
