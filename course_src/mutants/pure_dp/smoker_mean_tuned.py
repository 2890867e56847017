"""A weighted mean with a threshold that was tried out.

points:
    smoker_guessed: 1.9
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total, weights = 0.0, 2 * sum(e**2 for e in epsilons)
    for x, y, e in zip(*answers, epsilons):
        total += e**2 * (x - others + patients - others - y)
    return int(total / weights > 0.9)
