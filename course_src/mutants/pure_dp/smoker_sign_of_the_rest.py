"""Of the counts of the others the sign is wrong.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total = math.log(20 / 80)
    for x, y, e in zip(*answers, epsilons):
        rest = patients - others
        total += e * (abs(x - others) - abs(x - others - 1) - abs(y - rest) + abs(y - rest + 1))
    return int(total > 0)
