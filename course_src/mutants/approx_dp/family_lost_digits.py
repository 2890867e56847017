"""The closed form of the series, by powers from which 1 is taken off.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    together = 0.0
    for epsilon, delta in answers:
        if epsilon == 0:
            together += people * delta
        else:
            together += delta * (math.exp(people * epsilon) - 1) / (math.exp(epsilon) - 1)
    return [people * sum(epsilon for epsilon, _ in answers), min(1.0, together)]
