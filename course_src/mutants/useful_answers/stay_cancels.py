"""Noise upwards and downwards cancels.

points:
    stay_guessed: 0
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = abs(np.mean(np.subtract(answers, totals) * epsilons))
    return min([30, 60, 130, 365], key=lambda b: abs(b - size))
