"""Only the counts that depend on Ada are used.

points:
    bell_heard: 0.75
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    z = np.linspace(-25, 25, 201)
    logs = []
    for ill in (0, 1):
        total = -np.abs(z) / 2
        for y, m, h in zip(answers, margins, hers):
            if h:
                t = z - m - ill
                up = np.where(t > 0, 0.5 * np.exp(-np.abs(t) / 2), 1 - 0.5 * np.exp(-np.abs(t) / 2))
                total = total + y * np.log(up) + (60 - y) * np.log1p(-np.minimum(up, 1 - 1e-12))
        logs.append(total)
    top = max(logs[0].max(), logs[1].max())
    return int(np.exp(logs[1] - top).sum() > np.exp(logs[0] - top).sum())
