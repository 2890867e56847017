"""exp of a large number is an error.

points:
    books_kept: 0
"""

# %% after_answers
def after_answers(before, lines, people):
    epsilon = people * sum(e for e, word in lines if word == "fresh")
    found = [epsilon]
    for factor in (math.exp(-epsilon), math.exp(epsilon)):
        odds = before / (1 - before) * factor
        found.append(odds / (1 + odds))
    return found
