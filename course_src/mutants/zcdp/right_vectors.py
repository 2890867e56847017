"""Right: numpy."""

# %% rho_at_least
def rho_at_least(with_them, without, trials, steps):
    from scipy.special import betaincinv

    x, y = np.array(with_them), np.array(without)
    error = 0.0125 / len(x)

    def lower(n):
        return np.where(n > 0, betaincinv(np.maximum(n, 1), trials - n + 1, error), 0.0)

    found = [0.0]
    for one, other in ((x, y), (y, x), (trials - x, trials - y), (trials - y, trials - x)):
        likely, rare = lower(one), 1 - lower(trials - other)
        keep = likely > rare
        found.extend((np.sqrt(-np.log(rare[keep])) - np.sqrt(-np.log(likely[keep]))) ** 2)
    return float(max(found)) / steps**2

# %% is_there
def is_there(answers, others, lengths, parts):
    part, s = np.array(parts), np.array(lengths)
    return bool(part @ (np.array(answers) - others) > part @ s / 2)
