"""Zero times infinity, of which min makes 1.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    delta = sum(d * sum(np.exp(j * e) for j in range(people)) for e, d in answers)
    return [people * sum(e for e, _ in answers), min(1, delta)]
