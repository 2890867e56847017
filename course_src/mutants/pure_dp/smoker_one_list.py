"""Only the counts of smokers are used.

points:
    smoker_guessed: 0.9
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total = math.log(20 / 80)
    for x, e in zip(answers[0], epsilons):
        total += e * (abs(x - others) - abs(x - others - 1))
    return int(total > 0)
