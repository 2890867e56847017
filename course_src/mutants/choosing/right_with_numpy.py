"""Right: numpy, with arrays and grids."""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    def log_delta(s):
        one = log_ndtr(0.5 / s - epsilon * s)
        other = epsilon + log_ndtr(-0.5 / s - epsilon * s)
        return one + np.log1p(-np.exp(other - one))

    low, high = 0.2, 60.0
    for _ in range(12):
        tried = np.linspace(low, high, 60)
        first = int(np.argmax(log_delta(tried) <= np.log(delta)))
        low, high = tried[first - 1], tried[first]
    need = np.array([np.sqrt(2) * most / epsilon, np.sqrt(most) * high * (1 + 1e-9)])
    if np.argmin(need) == 0:
        return {"mechanism": "Laplace", "scale": float(need[0] / np.sqrt(2))}
    return {"mechanism": "Gaussian", "sigma": float(need[1])}


# %% release_by_hand
def release_by_hand():
    mu = np.sqrt(6) / 7
    rho = mu**2 / 2
    return np.round([mu, rho, 4 * rho, np.expm1(12 * rho) / 12, 6 * np.sqrt(2) / 7], 3)


# %% composed_in_each
def composed_in_each(notion, x, k, order, delta):
    names = ["pure", "gauss", "zcdp", "renyi", "alpha", "approx"]
    place = {name: i for i, name in enumerate(names)}

    def relax(found, level):
        while True:
            old = found.copy()
            for source, target in ARROWS:
                if np.isfinite(found[place[source]]):
                    new = theorem(source, target, float(found[place[source]]), order, level)
                    found[place[target]] = min(found[place[target]], new)
            if np.all(np.isclose(found, old, rtol=1e-12) | (found == old)):
                return found

    def begin(name, number):
        found = np.full(6, np.inf)
        found[place[name]] = number
        return found

    one = relax(begin(notion, x), delta)
    one[5] = relax(begin(notion, x), delta / k)[5]
    a = order * (order - 1)
    total = k * one
    total[1] = np.sqrt(k) * one[1]
    total[4] = np.expm1(k * np.log1p(a * one[4])) / a
    return [float(relax(begin(n, t), delta)[5]) if np.isfinite(t) else math.inf for n, t in zip(names, total)]


# %% worst_word
def worst_word():
    low, high = np.array([1e-6, 1e-9]), np.array([0.999, 0.999])
    for _ in range(6):
        p = np.linspace(low[0], high[0], 400)[:, None]
        q = np.linspace(low[1], high[1], 400)[None, :]
        two = np.maximum(p**2 / q + (1 - p) ** 2 / (1 - q), q**2 / p + (1 - q) ** 2 / (1 - p))
        delta = np.where(np.log(two) <= 0.4, p - np.exp(1.3) * q, -1.0)
        i, j = np.unravel_index(np.argmax(delta), delta.shape)
        best = np.array([p[i, 0], q[0, j]])
        width = 8 * (high - low) / 400
        low, high = np.maximum(best - width, 1e-9), np.minimum(best + width, 0.999)
    return {"mechanism": "word", "with_ada": float(best[0]), "without_her": float(best[1])}


# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    odds = np.array([prior, limit]) / (1 - np.array([prior, limit]))
    c = np.diff(np.log(odds))[0]
    z = -ndtri(chance)
    mu = np.max(np.roots([0.5, z, -c]).real)
    return np.array([np.sqrt(counts) / mu, ndtr(-c / mu - mu / 2)])


# %% exposures
def exposures(groups, delta, chance):
    n, r = np.array(groups, dtype=float).T
    stays = np.log1p(-delta)
    return [delta * (n @ r), -n @ np.expm1(r * stays), np.exp(stays * (n @ r)), -np.expm1(np.log1p(-chance) / (n @ r))]


# %% real_epsilon
def real_epsilon(statement, events, days, delta):
    notion, first, unit, neighbours = statement
    s = np.where(unit == "event", events, 1) * np.where(neighbours == "left out", 2, 1)
    k = np.where(unit == "user", 1, days)
    if notion == "pure":
        return float(k * s * first)
    total = float(np.sqrt(k) * s * first if notion == "gauss" else k * s**2 * first)
    return theorem(notion, "approx", total, 2, delta)
