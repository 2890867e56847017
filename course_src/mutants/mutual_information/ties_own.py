"""Only her own answer.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    return answers[0]
