"""The majority of all answers.

points:
    apps_attacked: 0
"""

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    every = [bit for heard in answers for bit in heard]
    return int(2 * sum(every) > len(every))
