"""Nobody smokes.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    return 0
