"""Fresh, and true as often as it should be false.

points:
    toss_repaired: 0
"""

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    second = drinks if rng.random() < 1 - truth else 1 - drinks
    return 2 * first + second
