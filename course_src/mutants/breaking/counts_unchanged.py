"""Nothing is changed.

points:
    counts_repaired: 0
"""

# %% repaired_counts
def repaired_counts(counts, scale, rng):
    more = math.exp(-1 / scale)
    seed = int(rng.integers(2**32))
    answers = []
    for count in counts:
        coins = np.random.default_rng(seed)
        heads, sign = 0, 0
        while sign == 0:
            sign = 1 if coins.random() < 0.5 else -1
            heads = 0
            while coins.random() < more:
                heads += 1
            if heads == 0 and sign == 0:
                sign = 0
        answers.append(count + sign * heads)
    return answers
