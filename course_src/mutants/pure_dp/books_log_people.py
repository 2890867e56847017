"""The factor is multiplied by the number of people.

points:
    books_kept: 0
"""

# %% after_answers
def after_answers(before, lines, people):
    epsilon = math.log(people) + sum(e for e, word in lines if word == "fresh")
    small = math.exp(-epsilon)
    lowest = before * small / (before * small + 1 - before)
    highest = before / (before + (1 - before) * small)
    return [epsilon, lowest, highest]
