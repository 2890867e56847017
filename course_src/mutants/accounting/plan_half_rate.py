"""Half of the rate, exactly.

points:
    training_planned: 2
"""

# %% training_plan
def exact(rate, steps, epsilon):
    from scipy.special import ndtr

    h, n = 0.004, 2**15

    def delta_of(sigma):
        # points of the lattice, and the answers that have these losses
        first = math.floor(math.log(1 - rate) / h)
        most = math.exp(9 / sigma + 10 / sigma**2)
        top = math.log1p(-rate + rate * most)
        at = h * np.arange(first, math.ceil(min(top, 30) / h) + 1)
        lift = np.maximum((np.expm1(at) + rate) / rate, 1e-300)
        x = 0.5 + sigma**2 * np.log(lift)
        x = np.where(lift > 1e-299, x, -1e9)
        q_below = ndtr(x / sigma)
        p_below = (1 - rate) * q_below + rate * ndtr((x - 1) / sigma)
        p, q = np.diff(p_below), np.diff(q_below)
        # each piece goes to both of its ends: the mean of 1/e^L stays
        up = (p - q * np.exp(at[:-1])) / -math.expm1(-h)
        up = np.clip(up, 0, p)
        law = np.zeros(n)
        law[: len(at) - 1] += p - up
        law[1 : len(at)] += up
        out = 1 - p_below[-1]
        total = np.fft.irfft(np.fft.rfft(law) ** steps)
        sums = h * (np.arange(n) + steps * first)
        beyond = sums > epsilon
        charge = -np.expm1(epsilon - sums[beyond])
        return steps * out + total[beyond] @ charge

    low, high = 0.5, 30.0
    while high > low * 1.001:
        middle = math.sqrt(low * high)
        if delta_of(middle) <= 1e-5:
            high = middle
        else:
            low = middle
    return 1.002 * high


def training_plan(largest_rate, steps, epsilon):
    rate = largest_rate / 2
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": exact(rate, steps, epsilon)}
