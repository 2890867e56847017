"""The share of ones in each app.

points:
    apps_attacked: 1.5
"""

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    loss = 0.0
    for heard, kind, epsilon in zip(answers, kinds, epsilons):
        tosses = heard[:1] if kind == "kept" else heard
        loss += epsilon / len(tosses) * (2 * sum(tosses) - len(tosses))
    return int(loss > 0)
