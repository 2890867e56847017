"""The first answer of the apps that stop.

points:
    apps_attacked: 2.3
"""

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    loss = 0.0
    for heard, kind, epsilon in zip(answers, kinds, epsilons):
        tosses = heard if kind == "fresh" else heard[:1]
        loss += epsilon * (2 * sum(tosses) - len(tosses))
    return int(loss > 0)
