"""Copies count as tosses.

points:
    apps_attacked: 0
"""

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    loss = 0.0
    for heard, kind, epsilon in zip(answers, kinds, epsilons):
        tosses = heard
        loss += epsilon * (2 * sum(tosses) - len(tosses))
    return int(loss > 0)
