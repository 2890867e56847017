"""A mean of the counts of smokers.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    return int(sum(answers[0]) / 5 > others + 0.5)
