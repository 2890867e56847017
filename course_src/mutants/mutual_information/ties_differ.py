"""She has it if the two others differ, as in the visible family.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    return 1 if answers[1] != answers[2] else 0
