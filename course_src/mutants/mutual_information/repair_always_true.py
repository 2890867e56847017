"""The second answer has no coin any more.

points:
    toss_repaired: 0
"""

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    second = drinks
    return 2 * first + second
