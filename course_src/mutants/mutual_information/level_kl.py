"""The largest divergence of two rows.

points:
    level_found: 0
"""

# %% level_of_desk
def level_of_desk(laws):
    def kl(p, q):
        return sum(math.inf if y == 0 else x * math.log(x / y) for x, y in zip(p, q) if x > 0)

    n = len(laws).bit_length() - 1
    return max(kl(laws[t], laws[t ^ 2**i]) for i in range(n) for t in range(len(laws)))
