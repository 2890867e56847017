"""Right: classes, tables of functions, and tests of properties."""

# %% family_epsilon
def family_epsilon(claims, people, delta):
    class Claim:
        def __init__(self, order, number):
            self.order, self.account = order, math.log1p(order * (order - 1) * number)

        def doubled(self):
            other = Claim(self.order / 2, 0)
            other.account = self.account
            return other

        def epsilon(self):
            return (self.account - math.log(delta)) / (self.order - 1)

    alive, size = [Claim(*claim) for claim in claims], 1
    while size < people:
        alive, size = [claim.doubled() for claim in alive if claim.order > 2], 2 * size
    if not alive:
        return [math.inf, 0]
    best = min(alive, key=Claim.epsilon)
    return [best.epsilon(), best.order]

# %% witness
def witness(name):
    if name == "bold":
        return [[1, 0, 0], [0, 0, 0]]
    most = 1 + 2 * 0.5

    def coin(bit, truth):
        return [truth, 1 - truth] if bit == 0 else [1 - truth, truth]

    def product(*laws):
        if len(laws) == 1:
            return laws[0]
        return [x * y for x in laws[0] for y in product(*laws[1:])]

    def law(t):
        if name == "twice":
            return product(coin(t[1], 0.666), coin(t[1], 0.666))
        if name == "lottery":
            return [x / 2 for x in coin(t[0], 0.788)] + [0.5]
        if name == "rare":
            return [1 - 0.079, 0.079] if t[2] else [0.6, 0.4]
        if name == "other":
            return coin(t[0], 0.737)
        if name == "each":
            return product(*[coin(bit, 0.723) for bit in t])
        found = [0.0] * 4
        for i, x in enumerate(product(*[coin(bit, 0.775) for bit in t])):
            found[bin(i).count("1")] += x
        return found

    tables = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    for one in tables:
        for two in tables:
            if sum(x != y for x, y in zip(one, two)) == 1:
                moment = sum(x * x / y for x, y in zip(law(one), law(two)))
                if moment > most * 1.0101:
                    return [one, two]
    return None

# %% test_alpha
def test_alpha(divergence):
    def close(x, y):
        return x == y or abs(x - y) <= 1e-7 + 1e-5 * abs(y)

    rng = np.random.default_rng(5)
    for size in (2, 3, 6, 9):
        for order in (1.01, 1.05, 1.7, 2, 3.4, 9.5, 40, 110, 200):
            p, q = rng.dirichlet(np.full(size, 4.0), 2) + 0.01
            p, q = (p / p.sum()).tolist(), (q / q.sum()).tolist()
            moment = math.fsum(x * (x / y) ** (order - 1) for x, y in zip(p, q))
            if not close(divergence(p, q, order), (moment - 1) / order / (order - 1)):
                return False
    half = [0.5, 0.5, 0.0]
    for order in (1.5, 2, 20):
        if divergence(half, [0.5, 0.0, 0.5], order) != math.inf:
            return False
        if divergence([0.4, 0.6], [0.0, 1.0], order) != math.inf:
            return False
        lost = (2 ** (order - 1) - 1) / (order * (order - 1))
        if not close(divergence(half, [0.25, 0.25, 0.5], order), lost):
            return False
        if not close(divergence(half, half, order), 0):
            return False
    return True

# %% verdicts
def verdicts(rows):
    def judge(order, sigma, k, delta, single, total):
        from scipy.special import log_ndtr

        factor = order * (order - 1)
        y = factor / 2 / sigma**2
        share = single * factor / (math.exp(y) - 1)
        first = 1 if share < 0.99 else 2 if share > 1.01 else 0

        def proof(a):
            return (k * a * (a - 1) / (2 * sigma**2) - math.log(delta)) / (a - 1)

        def log_delta(epsilon):
            mu = math.sqrt(k) / sigma
            a = log_ndtr(mu / 2 - epsilon / mu)
            b = log_ndtr(-mu / 2 - epsilon / mu) + epsilon
            return a + math.log1p(-math.exp(b - a)) if b < a else -math.inf

        low, high = 0.0, proof(max(2, round(1 + sigma * math.sqrt(-2 * math.log(delta) / k))))
        if log_delta(0.0) > math.log(delta):
            for _ in range(60):
                middle = (low + high) / 2
                if log_delta(middle) > math.log(delta):
                    low = middle
                else:
                    high = middle
        else:
            high = 0.0
        if total < high:
            return [first, 0]
        if total < proof(order):
            return [first, 1]
        return [first, 2 if total > 1.01 * min(map(proof, range(2, 301))) else 3]

    return [judge(*row) for row in rows]
