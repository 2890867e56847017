"""Right: classes, recursion, fractions."""

# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    def fits(n):
        return math.hypot(
            deviation / math.sqrt(n), math.sqrt(2) * questions * (high - low) / epsilon / n
        ) <= error

    def search(bad, good):
        if good - bad == 1:
            return good
        middle = (bad + good) // 2
        return search(bad, middle) if fits(middle) else search(middle, good)

    good = 1
    while not fits(good):
        good *= 4
    return search(0, good)


# %% best_bound
class Errors:
    def __init__(self, report, people, epsilon):
        self.report, self.people, self.epsilon = report, people, epsilon

    def bias(self, bound):
        return math.fsum(max(0, stay - bound) for stay in self.report) / len(self.report)

    def noise(self, bound):
        return math.sqrt(2) * bound / self.people / self.epsilon

    def both(self, bound):
        return math.sqrt(self.bias(bound) ** 2 + self.noise(bound) ** 2)


def best_bound(report, people, epsilon):
    errors = Errors(report, people, epsilon)
    golden = (math.sqrt(5) - 1) / 2

    def narrow(low, high, steps):
        if steps == 0:
            return (low + high) / 2
        a, b = high - golden * (high - low), low + golden * (high - low)
        return narrow(low, b, steps - 1) if errors.both(a) < errors.both(b) else narrow(a, high, steps - 1)

    bound = narrow(0, max(report), 60)
    return [bound, errors.both(bound)]


# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(changes) / n
    cut = sum(min(high, max(low, x)) for x in changes) / n
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)


# %% two_answers
class Desk:
    def __init__(self, low, high, rng):
        self.low, self.high, self.rng = low, high, rng

    def centred(self, value):
        return max(self.low, min(self.high, value)) - (self.low + self.high) / 2

    def noise(self, change, epsilon):
        return self.rng.exponential(change / epsilon) - self.rng.exponential(change / epsilon)


def two_answers(values, low, high, part, epsilon, rng):
    desk = Desk(low, high, rng)
    total = sum(map(desk.centred, values)) + desk.noise((high - low) / 2, part * epsilon)
    return [total, len(values) + desk.noise(1, (1 - part) * epsilon)]


# %% test_noisy_mean
def test_noisy_mean(implementation):
    # by what must hold, without the formula as a whole
    for low, high in ((-8, 12), (-20.5, -3), (4, 6), (0, 30)):
        for values in ([1.5], [100], [-100], [5, 5.5, -60], [5, -2, 70, 80, 1], [4.5, 5, 5.25]):
            n = len(values)
            for epsilon in (0.1, 1, 5):
                quiet = implementation(list(values), low, high, epsilon, 0)
                pieces = [implementation([v], low, high, epsilon, 0) for v in values]
                assert abs(quiet - sum(pieces) / n) < 1e-9
                for z in (-3, 2):
                    noisy = implementation(list(values), low, high, epsilon, z)
                    step = z * (high - low) / (n * epsilon)
                    assert abs(noisy - quiet - step) < 1e-9 * max(1, abs(step))
        for value, cut in ((low - 1, low), (high + 1, high), (high + 500, high), (low - 300, low),
                           ((low + high) / 2, (low + high) / 2)):
            assert abs(implementation([value], low, high, 1, 0) - cut) < 1e-9


# %% published_total
def published_total(counts, epsilon, least):
    b = 1 / epsilon

    def above(d):  # probability that noise is above d, and its mean there, times that
        if d >= 0:
            p = math.exp(-d / b) / 2
            return p, p * (d + b)
        q = math.exp(d / b) / 2  # the noise is below d
        return 1 - q, q * (b - d)

    bias = 0.0
    for c in counts:
        p, mean = above(least - c)
        bias += c * p + mean - c
    return [bias, counts.count(0) * above(least)[0]]


# %% witness
def witness(name):
    class Witness(list):
        pass

    known = {
        "longest": ([0, 3], [0], [4]),
        "rounded": ([3, 3], [3], [3]),
        "cut_late": ([0], [0, 3], [1]),
        "if_anybody": ([1, 1, 3], [1, 1], [1, 2, 3]),
    }
    return list(known[name]) if name in known else None
