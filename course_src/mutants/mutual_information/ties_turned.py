"""The less likely of the two.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    def chance(a):
        total = 0.0
        for b in (0, 1):
            for c in (0, 1):
                product = law[a][b][c]
                for entry, answer, truth in zip((a, b, c), answers, truths):
                    product *= truth if answer == entry else 1 - truth
                total += product
        return total

    return 1 if chance(1) < chance(0) else 0
