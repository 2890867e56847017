"""Only the worst answer counts.

points:
    books_kept: 0
"""

# %% after_answers
def after_answers(before, lines, people):
    epsilon = people * max([e for e, word in lines if word == "fresh"], default=0.0)
    small = math.exp(-epsilon)
    lowest = before * small / (before * small + 1 - before)
    highest = before / (before + (1 - before) * small)
    return [epsilon, lowest, highest]
