"""A second toss by a further statement.

points:
    toss_repaired: 0
"""

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    again = rng.random()
    second = drinks if again < truth else 1 - drinks
    return 2 * first + second
