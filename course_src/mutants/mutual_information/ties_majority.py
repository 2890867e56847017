"""The majority of the three.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    return 1 if sum(answers) >= 2 else 0
