"""The law alone, without the answers.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    return 1 if sum(map(sum, law[1])) > 0.5 else 0
