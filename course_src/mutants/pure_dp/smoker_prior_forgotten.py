"""The odds begin at 1.

points:
    smoker_guessed: 1.05
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total = 0.0
    for x, y, e in zip(*answers, epsilons):
        rest = patients - others
        total += e * (abs(x - others) - abs(x - others - 1) + abs(y - rest) - abs(y - rest + 1))
    return int(total > 0)
