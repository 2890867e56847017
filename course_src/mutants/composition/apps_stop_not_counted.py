"""The answer at which an app stops is not counted.

points:
    apps_attacked: 0
"""

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    loss = 0.0
    for heard, kind, epsilon in zip(answers, kinds, epsilons):
        tosses = heard[:1] if kind == "kept" else heard
        if kind == "until":
            tosses = [one for one in tosses if not one]
        loss += epsilon * (2 * sum(tosses) - len(tosses))
    return int(loss > 0)
