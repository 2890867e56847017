"""Right: lists and the math module only, with fsum and a sorted-out early return."""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    # on a grid, a little above the least noise, as an integer where that is near enough
    sigma = 1
    while exceeds(k, sigma, epsilon) > delta:
        sigma *= 1.005
    up = math.ceil(sigma)
    return dict(mechanism="Gaussian", sigma=up if up < 1.003 * sigma else sigma)


def exceeds(k, sigma, epsilon):
    mu = k**0.5 / sigma
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return (math.erfc(near / 2**0.5) - math.exp(epsilon) * math.erfc(far / 2**0.5)) / 2


# %% kl_by_hand
def kl_by_hand():
    # cut off, not rounded
    return 0.183787, 0.559615


# %% kl_divergence
def kl_divergence(p, q):
    if any(x > 0 and y == 0 for x, y in zip(p, q)):
        return float("inf")
    return math.fsum(x * (math.log(x) - math.log(y)) for x, y in zip(p, q) if x > 0)


# %% renyi_divergence
def renyi_divergence(p, q, order):
    p, q = list(p), list(q)
    if len(p) != len(q) or not p:
        raise ValueError("p and q need the same outcomes")
    for law in (p, q):
        if any(not x >= 0 for x in law) or abs(math.fsum(law) - 1) > 1e-9:
            raise ValueError("not a law")
    if math.isnan(order) or order <= 0:
        raise ValueError("bad order")
    if order == 1:
        return kl_divergence(p, q)
    if math.isinf(order):
        return max_divergence(p, q)
    if order > 1 and any(x > 0 and y == 0 for x, y in zip(p, q)):
        return math.inf
    pairs = [(x, y) for x, y in zip(p, q) if x > 0 and y > 0]
    if not pairs:
        return math.inf
    if abs(order - 1) < 0.01 and math.fsum(x for x, _ in pairs) > 1 - 1e-9:
        moved = (x * math.expm1((order - 1) * math.log(x / y)) for x, y in pairs)
        return math.log1p(math.fsum(moved)) / (order - 1)
    terms = sorted(order * math.log(x) + (1 - order) * math.log(y) for x, y in pairs)
    rest = math.fsum(math.exp(t - terms[-1]) for t in terms)
    return (terms[-1] + math.log(rest)) / (order - 1)


# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    sigma = sensitivity * math.sqrt(order / (2 * epsilon_bar))
    return [x + sigma * rng.standard_normal() for x in vector]


# %% epsilon_of_pair
def epsilon_of_pair(p, q, delta):
    # the hockey-stick divergence by bisection: the smallest epsilon itself, a little above
    def floor(epsilon):
        return math.fsum(max(0.0, x - math.exp(epsilon) * y) for x, y in zip(p, q))

    low, high = 0.0, max(math.log(x / y) for x, y in zip(p, q))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if floor(middle) <= delta else (middle, high)
    return high * (1 + 1e-12)


# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    # one statement is another one
    seed = int(rng.integers(2**31))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + rng.normal(0.0, sigma))
    return noisy
