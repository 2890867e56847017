"""The day with the least noise alone.

points:
    smoker_guessed: 0.1
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    best = epsilons.index(max(epsilons))
    rest, x, y, e = patients - others, answers[0][best], answers[1][best], epsilons[best]
    total = math.log(20 / 80) + e * (abs(x - others) - abs(x - others - 1))
    total += e * (abs(y - rest) - abs(y - rest + 1))
    return int(total > 0)
