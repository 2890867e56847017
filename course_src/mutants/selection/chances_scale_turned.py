"""The scale is turned over.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    from scipy import stats
    from scipy.integrate import quad

    c = np.asarray(scores, dtype=float) * scale
    law = {"gumbel": stats.gumbel_r, "laplace": stats.laplace, "exponential": stats.expon}[noise]()
    found = []
    for r in range(len(c)):
        gaps = np.delete(c, r) - c[r]
        cuts = sorted({-40.0, 0.0, 40.0, *(g for g in gaps if -40 < g < 40)})
        found.append(sum(
            quad(lambda z: law.pdf(z) * np.prod(law.cdf(z - gaps)), a, b, epsabs=1e-8)[0]
            for a, b in zip(cuts, cuts[1:])))
    return found
