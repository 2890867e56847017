"""The root mean square is taken for the scale.

points:
    stay_guessed: 2.5
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = np.sqrt(np.mean((np.subtract(answers, totals) * epsilons) ** 2))
    return min([30, 60, 130, 365], key=lambda b: abs(b - size))
