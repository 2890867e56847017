"""The refusal is decided by noise of its own.

points:
    desk_repaired: 0
"""

# %% repaired_desk
def repaired_desk(table, rng):
    count = sum(table)
    noisy = count + int(rng.geometric(2 / 3) - rng.geometric(2 / 3))
    noisy = min(3, max(0, noisy))
    if count + rng.geometric(2 / 3) - rng.geometric(2 / 3) < 2:
        return -1
    return noisy
