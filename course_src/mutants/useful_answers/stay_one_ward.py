"""The ward with the least noise alone.

points:
    stay_guessed: 0.1
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    j = int(np.argmax(epsilons))
    size = abs(answers[j] - totals[j]) * epsilons[j]
    return min([30, 60, 130, 365], key=lambda b: abs(b - size))
