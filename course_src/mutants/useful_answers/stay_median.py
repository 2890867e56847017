"""The median, taken for the mean.

points:
    stay_guessed: 1.6
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = np.median(np.abs(np.subtract(answers, totals)) * epsilons)
    return min([30, 60, 130, 365], key=lambda b: abs(b - size))
