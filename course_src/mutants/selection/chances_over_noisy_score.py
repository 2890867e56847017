"""The given integral over the noisy score, where it is for the noise.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    if noise == "gumbel":
        w = [math.exp((s - max(scores)) / scale) for s in scores]
        return [x / sum(w) for x in w]

    def density(x):
        if noise == "laplace":
            return math.exp(-abs(x) / scale) / (2 * scale)
        return math.exp(-x / scale) / scale if x >= 0 else 0.0

    def below(x):
        if noise == "laplace":
            return math.exp(x / scale) / 2 if x < 0 else 1 - math.exp(-x / scale) / 2
        return 1 - math.exp(-x / scale) if x >= 0 else 0.0

    out = []
    for r, mine in enumerate(scores):
        others = [s for j, s in enumerate(scores) if j != r]
        out.append(integral(
            lambda x: density(x - mine) * math.prod(below(x - s) for s in others), scores))
    return out
