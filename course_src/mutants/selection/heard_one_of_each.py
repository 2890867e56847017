"""The threshold from one of the other counts, and then one of hers.

points:
    bell_heard: 2.35
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    def up(t):
        return np.where(t > 0, 0.5 * np.exp(-np.abs(t) / 2), 1 - 0.5 * np.exp(-np.abs(t) / 2))

    z = np.linspace(-25, 25, 201)
    fit = -np.abs(z) / 2
    pairs = list(zip(margins, hers))
    at = pairs.index((0, 0))
    y, m = answers[at], margins[at]
    fit = fit + y * np.log(up(z - m)) + (60 - y) * np.log(up(m - z))
    best = z[int(np.argmax(fit))]
    at = pairs.index((1, 1))
    y, m = answers[at], margins[at]
    logs = [y * np.log(up(best - m - ill)) + (60 - y) * np.log(up(m + ill - best)) for ill in (0, 1)]
    return int(logs[1] > logs[0])
