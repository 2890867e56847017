"""Right: arrays."""

# %% year_account
def year_account(order, lines):
    def one(word, x):
        if word == "normal":
            return order * (order - 1) / (2 * x**2)
        if word == "claim":
            return np.log1p(order * (order - 1) * x)
        if word == "coin":
            weights = np.array([x, 1 - x])
            loss = np.log(x) - np.log1p(-x)
            ups = (order - 1) * np.array([loss, -loss])
        else:
            weights = np.array([order, order - 1]) / (2 * order - 1)
            ups = np.array([order - 1, -order]) / x
        if ups[0] < 1:
            return np.log1p(weights @ np.expm1(ups))
        return np.logaddexp.reduce(np.log(weights) + ups)

    account = np.sum([k * one(word, x) for word, x, k in lines])
    if account < 500:
        return np.array([account, np.expm1(account) / (order * (order - 1))])
    size = account - np.log(order * (order - 1))
    return np.array([account, np.exp(size) if size < 308 * np.log(10) else np.inf])

# %% mild_witness
def mild_witness(claim, order, c):
    def excess(a, x):
        return np.expm1(a * (a - 1) * x**2 / 2) / (a * (a - 1))

    def laplace(t):
        return (order * np.exp((order - 1) * t) + (order - 1) * np.exp(-order * t)) / (2 * order - 1)

    def moment(x, y, a):
        return x**a * y ** (1 - a) + (1 - x) ** a * (1 - y) ** (1 - a)

    a = order
    x = np.geomspace(0.01, 1.5, 50_000)
    if claim == "step":
        x = x[x <= c]
    with np.errstate(divide="ignore"):
        left, right = {
            "sum": (excess(a, x * 2**0.5), 2 * excess(a, x)),
            "flat": (excess(a, x), x**2),
            "orders": (excess(2 * a, x), excess(a, x)),
            "conversion": (
                np.log1p(a * (a - 1) * excess(a, x)) - np.log(c or 1),
                np.logaddexp(0, excess(a, x) + np.log(a * (a - 1))) - np.log(c or 1),
            ),
            "family": (
                excess(a, 4 * x),
                4 * a * (4 * a - 1) * excess(4 * a, x) / (a * (a - 1)),
            ) if claim == "family" else (x, x),
            "loss": (c * a * x**2 / 2, c * np.log1p(a * (a - 1) * excess(a, x)) / (a - 1) + 1e-12),
            "coordinates": (laplace(2 * x), laplace(x) ** 2),
            "step": (moment(0.5, np.minimum(x, 0.99), a), moment(0.5, c or 0.5, 2 * a)),
        }[claim]
    fits = x[(left > 1.1 * right) & (left < 1.2 * right)]
    return fits[len(fits) // 2] if len(fits) else -1

# %% family_epsilon
def family_epsilon(claims, people, delta):
    orders, numbers = np.array(claims, float).T
    size = 2.0 ** np.ceil(np.log2(people))
    keep = orders > size
    if not keep.any():
        return [math.inf, 0]
    orders, numbers = orders[keep], numbers[keep]
    epsilons = (np.log1p(orders * (orders - 1) * numbers) - np.log(delta)) / (orders / size - 1)
    best = np.argmin(epsilons)
    return [epsilons[best], orders[best] / size]

# %% verdicts
def verdicts(rows):
    from scipy.special import log_ndtr

    table = np.array(rows, float)
    order, sigma, k, delta, single, total = table.T
    y = order * (order - 1) / (2 * sigma**2)
    right = np.expm1(y) / (order * (order - 1))
    first = np.where(np.abs(single - right) <= 0.01 * right, 0, np.where(single < right, 1, 2))
    mu = np.sqrt(k) / sigma
    plus, minus = log_ndtr(mu / 2 - total / mu), total + log_ndtr(-mu / 2 - total / mu)
    too_much = plus + np.log1p(-np.exp(np.minimum(minus - plus, -1e-16))) > np.log(delta)
    orders = np.arange(2, 301)[:, None]
    least = np.min(k * orders / (2 * sigma**2) - np.log(delta) / (orders - 1), axis=0)
    here = k * order / (2 * sigma**2) - np.log(delta) / (order - 1)
    second = np.select([too_much, total < here, total > 1.01 * least], [0, 1, 2], 3)
    return np.stack([first, second], axis=1)
