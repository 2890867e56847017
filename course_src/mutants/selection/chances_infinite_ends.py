"""One integral over all numbers, which misses scores far from 0.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    from scipy.integrate import quad

    if noise == "gumbel":
        weights = [math.exp((s - max(scores)) / scale) for s in scores]
        return [w / sum(weights) for w in weights]

    def density(x):
        if noise == "laplace":
            return math.exp(-abs(x) / scale) / (2 * scale)
        return 0.0 if x < 0 else math.exp(-x / scale) / scale

    def below(x):
        if noise == "laplace":
            return math.exp(x / scale) / 2 if x < 0 else 1 - math.exp(-x / scale) / 2
        return 0.0 if x < 0 else 1 - math.exp(-x / scale)

    chances = []
    for r in range(len(scores)):
        def f(x):
            value = density(x - scores[r])
            for j in range(len(scores)):
                if j != r:
                    value *= below(x - scores[j])
            return value

        chances.append(quad(f, -math.inf, math.inf)[0])
    return chances
