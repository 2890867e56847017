"""Always the likeliest stay.

points:
    stay_guessed: 0
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    return 30
