"""An integral over the noisy score, cut at the scores: between scores far apart it misses what counts.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    from scipy.integrate import quad

    s = np.array(scores, dtype=float)
    if noise == "gumbel":
        w = np.exp((s - s.max()) / scale)
        return (w / w.sum()).tolist()

    def pdf(x):
        if noise == "laplace":
            return np.exp(-np.abs(x) / scale) / (2 * scale)
        return np.where(x < 0, 0, np.exp(-np.abs(x) / scale) / scale)

    def cdf(x):
        tail = np.exp(-np.abs(x) / scale)
        if noise == "laplace":
            return np.where(x < 0, tail / 2, 1 - tail / 2)
        return np.where(x < 0, 0, 1 - tail)

    out = []
    cuts = sorted({s.min() - 40 * scale, *s, s.max() + 40 * scale})
    for r in range(len(s)):
        others = np.delete(s, r)

        def f(x):
            return float(pdf(x - s[r]) * np.prod(cdf(x - others)))

        out.append(sum(quad(f, a, b)[0] for a, b in zip(cuts, cuts[1:])))
    return out
