"""Zero times infinity, which is no number.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    delta = sum(d * np.exp(np.arange(people) * e).sum() for e, d in answers)
    return [people * sum(e for e, _ in answers), np.minimum(1, delta)]
