"""The second answer is true 3 times in 4, whatever the coin is.

points:
    toss_repaired: 0
"""

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    second = drinks if rng.random() < 0.75 else 1 - drinks
    return 2 * first + second
