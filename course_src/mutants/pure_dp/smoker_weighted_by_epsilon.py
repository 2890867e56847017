"""A mean with the epsilons for weights.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total, weights = 0.0, 2 * sum(epsilons)
    for x, y, e in zip(*answers, epsilons):
        total += e * (x - others + patients - others - y)
    return int(total / weights > 0.5)
