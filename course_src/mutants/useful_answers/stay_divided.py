"""The noise is divided by its epsilon.

points:
    stay_guessed: 0
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = np.mean(np.abs(np.subtract(answers, totals)) / epsilons)
    return min([30, 60, 130, 365], key=lambda b: abs(b - size))
