"""The same toss in the same direction: both true or both false.

points:
    toss_repaired: 0
"""

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    second = drinks if toss < truth else 1 - drinks
    return 2 * first + second
