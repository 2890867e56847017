"""Two statements are changed.

points:
    desk_repaired: 0
"""

# %% repaired_desk
def repaired_desk(table, rng):
    count = sum(table)
    noisy = count + int(rng.geometric(2 / 3) - rng.geometric(2 / 3))
    noisy = max(0, min(noisy, 3))
    if noisy <= 1:
        return -1
    return noisy
