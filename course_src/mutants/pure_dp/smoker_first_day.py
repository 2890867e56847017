"""The first day alone.

points:
    smoker_guessed: 0.1
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    rest, x, y, e = patients - others, answers[0][0], answers[1][0], epsilons[0]
    total = math.log(20 / 80) + e * (abs(x - others) - abs(x - others - 1))
    total += e * (abs(y - rest) - abs(y - rest + 1))
    return int(total > 0)
