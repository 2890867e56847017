"""Right: scipy's laws, quadrature and searches."""

# %% errors_by_hand
def errors_by_hand():
    from scipy.stats import binom, laplace

    sampling, noise = binom(2400, 0.075).std(), laplace(scale=5 / 0.32).std()
    return [round(float(x), 1) for x in (sampling, noise, math.hypot(sampling, noise))]


# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    from scipy.optimize import brentq
    from scipy.stats import laplace

    noise = laplace(scale=(high - low) * questions / epsilon).var()
    if deviation**2 + noise <= error**2:
        return 1
    return math.ceil(brentq(lambda n: deviation**2 / n + noise / n**2 - error**2, 1, 1e12, xtol=1e-9, rtol=1e-14))


# %% best_bound
def best_bound(report, people, epsilon):
    from scipy.optimize import minimize_scalar

    values = np.array(report, dtype=float)

    def error(bound):
        return np.hypot(
            values.mean() - np.minimum(values, bound).mean(),
            2**0.5 * bound / epsilon / people,
        )

    # in pieces: the valley is found in each, and the deepest taken
    found = minimize_scalar(
        error, bounds=(0, values.max()), method="bounded", options={"xatol": 1e-10 * values.max()}
    )
    return [float(found.x), float(found.fun)]


# %% guess_stay
def guess_stay(answers, totals, epsilons):
    scaled = [e * (y - t) for y, t, e in zip(answers, totals, epsilons)]
    size = float(np.abs(scaled).sum())
    weight = {b: p * b**-12.0 * math.exp(-size / b) * 1e20 for b, p in ((30, 0.4), (60, 0.3), (130, 0.2), (365, 0.1))}
    return max(weight, key=weight.get)


# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    from scipy.stats import laplace

    total = math.fsum(sorted((low, v, high))[1] - 0.5 * (low + high) for v in values)
    first = laplace.rvs(loc=total, scale=(high - low) / (2 * part * epsilon), random_state=rng)
    second = laplace.rvs(loc=len(values), scale=1 / (epsilon - part * epsilon), random_state=rng)
    return [float(first), float(second)]


# %% published_total
def published_total(counts, epsilon, least):
    def shown(c):
        if c > least:
            return c - math.exp((least - c) * epsilon) * (least - 1 / epsilon) / 2
        return math.exp((c - least) * epsilon) * (least + 1 / epsilon) / 2

    from scipy.stats import laplace

    each = laplace.sf(least, scale=1 / epsilon)
    return [math.fsum(shown(c) - c for c in counts), sum(1 for c in counts if not c) * float(each)]


# %% reach
def reach(sampling, scale, miss):
    from scipy.optimize import brentq
    from scipy.special import log_ndtr
    from scipy.stats import norm

    if min(sampling, scale) == 0:
        return sampling * norm.isf(miss / 2) - scale * math.log(miss)
    r = sampling / scale

    def above(t):
        x = r * r / 2
        up, down = x - t * r + log_ndtr(t - r), x + t * r + log_ndtr(-t - r)
        return norm.sf(t) + (math.exp(up) - math.exp(down)) / 2

    return sampling * brentq(lambda t: above(t) - miss / 2, 0, 60 + 60 / r)


# %% year_by_hand
def year_by_hand():
    return [60 * math.sqrt(2) / 0.6, 8.29 * math.sqrt(60), 13, 10 * math.sqrt(2)]


# %% noise_for_year
def noise_for_year():
    from scipy.optimize import brentq
    from scipy.stats import norm

    def delta(mu):
        return norm.cdf(mu / 2 - 1 / mu) - math.e * norm.cdf(-mu / 2 - 1 / mu)

    half = brentq(lambda mu: delta(mu) - 1e-9, 0.1, 0.3, xtol=1e-15) / math.sqrt(2)
    weeks, year = 3 * math.sqrt(20) / half + 1e-4, 9 * math.sqrt(20) / half + 1e-4
    return {"mechanism": "Gaussian", "sigma_weeks": weeks, "sigma_year": year}
