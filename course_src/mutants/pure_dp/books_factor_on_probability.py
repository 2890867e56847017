"""The factor multiplies the probability.

points:
    books_kept: 0
"""

# %% after_answers
def after_answers(before, lines, people):
    epsilon = people * sum(e for e, word in lines if word == "fresh")
    small = math.exp(-epsilon)
    lowest = before * small / (before * small + 1 - before)
    highest = before / (before + (1 - before) * small)
    return [epsilon, before * small, min(1.0, before * math.exp(min(epsilon, 700)))]
