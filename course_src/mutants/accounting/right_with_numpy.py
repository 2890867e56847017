"""Nothing is wrong: arrays.
"""

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    losses, masses = np.array(losses, dtype=float), np.array(masses)
    finite = np.isfinite(losses)
    told = masses[~finite].sum()

    def one_side(whole):
        law = np.bincount((whole(losses[finite] / mesh) + 20).astype(int),
                          masses[finite], minlength=41)
        total, power, n = np.ones(1), law, k
        while n:
            if n % 2:
                total = np.convolve(total, power)
            power, n = np.convolve(power, power), n // 2
        t = mesh * (np.arange(total.size) - 20 * k)
        finite_part = (total * np.maximum(0, -np.expm1(np.minimum(0, epsilon - t)))).sum()
        return finite_part + (1.0 if told == 1 else -np.expm1(k * np.log1p(-told)))

    return np.array([one_side(np.floor), one_side(np.ceil)])

# %% was_in
def was_in(answers, rate, sigmas, batch, speed):
    weights, others = map(np.array, answers)
    x = others + np.diff(weights) * batch / speed
    z = (x - 0.5) / np.array(sigmas) ** 2
    loss = np.logaddexp(np.log(1 - rate), np.log(rate) + z)
    return bool(loss.sum() > 0)

# %% year_at_desk
def year_at_desk(requests, which, budget, orders, delta):
    spent = np.zeros(len(orders))
    start = np.log(len(orders) / delta) / (np.array(orders) - 1)
    rows = []
    for claim in np.array(requests, dtype=float).reshape(-1, len(orders)):
        fits = (spent + claim)[which] <= budget
        spent = spent + claim if fits else spent
        rows.append([fits, (spent + start).min()])
    return rows

# %% enough_noise
def enough_noise(rate, steps, epsilon, delta):
    def bill(sigma):
        return min(steps * sampled_divergence(rate, sigma, a)
                   + math.log(1 / delta) / (a - 1) for a in range(2, 65))

    step, sigma = 2.0, 0.1
    while step > 1 + 2e-5:
        while bill(sigma * step) > epsilon:
            sigma *= step
        step = math.sqrt(step)
    return sigma * step * step
