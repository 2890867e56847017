"""Right: with what the notebook gives, as the hints say it."""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    desk = globals()[name]
    for table, neighbour in ([[1], [0]], [[0], [1]]):
        p, q = desk(table), desk(neighbour)
        for form in p:
            if p[form] - 3 * q.get(form, 0) >= 0.01:
                return [table, neighbour, [form]]
    return None


# %% disasters
def disasters(mean, loss):
    if mean >= loss:
        return 1.0

    def kl(r):
        s = r * math.exp(-loss)
        return r * loss + (1 - r) * (math.log1p(-r) - math.log1p(-s))

    low, high = 0.0, 1.0
    for _ in range(120):
        middle = (low + high) / 2
        if middle < 1 and kl(middle) <= mean:
            low = middle
        else:
            high = middle
    return low


# %% bent_mean
def bent_mean(corners, slope, p, q):
    total = 0.0
    for x, y in zip(p, q):
        if y > 0:
            total += y * straight(corners, slope, x / y)
        else:
            total += x * slope
    return total


# %% alpha_divergence
def alpha_divergence(p, q, order):
    if order < 0.5:
        return alpha_divergence(q, p, 1 - order)
    total = 0.0
    for x, y in zip(p, q):
        if x == 0:
            continue
        if y == 0:
            if order >= 1:
                return math.inf
            total -= x
        elif order == 1:
            total += x * math.log(x / y)
        else:
            total += x * math.expm1((order - 1) * math.log(x / y))
    return total if order == 1 else total / (order * (order - 1))


# %% test_distance
def test_distance(distance):
    rng = np.random.default_rng(0)
    for trial in range(120):
        p = some_law(rng, 4, zeros=trial % 3 == 1)
        q = some_law(rng, 4, zeros=trial % 4 == 1)
        channels = [
            rng.permutation(MERGE),
            rng.permutation(np.eye(4)),
            np.kron(np.eye(4), [0.5, 0.5]),
            [some_law(rng, 3, zeros=trial % 2) for _ in range(4)],
        ]
        before = distance(p.tolist(), q.tolist())
        assert before >= -1e-6
        assert abs(distance(p.tolist(), p.tolist())) <= 1e-6
        for channel in channels:
            after = distance(processed(p, channel).tolist(), processed(q, channel).tolist())
            assert after <= before + 1e-6 + 1e-6 * abs(before)


# %% most_telling
import itertools


def most_telling(q, epsilon):
    q = [y for y in q if y > 0]
    low, high = math.exp(-epsilon), math.exp(epsilon)
    best = 0.0
    for between in range(len(q)):
        for ends in itertools.product([low, high], repeat=len(q) - 1):
            factors = list(ends)
            factors.insert(between, 0.0)
            p = [u * y for u, y in zip(factors, q)]
            p[between] = 1 - sum(p)
            if low - 1e-9 <= p[between] / q[between] <= high + 1e-9:
                best = max(best, sum(x * math.log(x / y) for x, y in zip(p, q)))
    return best
