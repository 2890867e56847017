"""0 log 0 is nan, which the comparison with the largest value drops.

points:
    level_found: 0
"""

# %% level_of_desk
def level_of_desk(laws):
    most = 0
    for t, law in enumerate(laws):
        for i in range(len(laws).bit_length() - 1):
            p, q = np.array(law), np.array(laws[t ^ 1 << i])
            for w in np.linspace(0.3, 0.7, 401):
                m = w * p + (1 - w) * q
                with np.errstate(all="ignore"):
                    found = w * np.sum(p * np.log(p / m)) + (1 - w) * np.sum(q * np.log(q / m))
                most = max(most, found)
    return most
