"""A mean with the weights that are best for normal noise.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    total = 0.0
    for x, y, e in zip(*answers, epsilons):
        total += e**2 * (x - others + patients - others - y)
    return int(total > sum(e**2 for e in epsilons))
