"""Composes first.

points:
    family_paired: 0
"""

# %% pair_for_family
def pair_for_family(answers, people):
    def power(x):
        return math.exp(x) if x < 700 else math.inf

    delta = 0.0
    for e, d in answers:
        if d > 0:
            delta += d * sum(power(i * sum(e for e, _ in answers)) for i in range(people))
    return [people * sum(e for e, _ in answers), min(1.0, delta)]
