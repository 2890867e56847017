"""The distribution function of exponential noise is not 0 below 0, but negative.

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
        return 1 - math.exp(-x / scale)

    chances = []
    for r in range(len(scores)):
        def f(x):
            value = density(x - scores[r])
            for j in range(len(scores)):
                if j != r:
                    value *= below(x - scores[j])
            return value

        left, right = scores[r] - 40 * scale, scores[r] + 40 * scale
        cuts = sorted({left, right, *(s for s in scores if left < s < right)})
        chances.append(sum(quad(f, a, b)[0] for a, b in zip(cuts, cuts[1:])))
    return chances
