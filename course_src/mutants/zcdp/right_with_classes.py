"""Right: classes, tables of functions, and scipy's own intervals."""

# %% repaired_keeper
def repaired_keeper(counts, lengths, widths, rho, rng):
    total = 0.0
    for length, width in zip(lengths, widths):
        total = total + math.pow(length / width, 2)
    unit = math.sqrt(total / (2 * rho))
    return [count + rng.normal(0.0, unit * width) for count, width in zip(counts, widths)]


# %% rho_of_bill
def rho_of_bill(lines, people):
    class Bill:
        spent = 0.0

        def normal(self, length, sigma):
            self.spent += (length * people / sigma) ** 2 / 2

        def sampled(self, rate, sigma):
            self.normal(1, sigma)

        def pure(self, epsilon):
            self.spent += people**2 * epsilon * -math.expm1(-epsilon) / (1 + math.exp(-epsilon))

        def laplace(self, scale):
            self.spent += people**2 * (1 / scale - (1 - math.exp(-1 / scale)))

        def computed(self, rho):
            pass

    bill = Bill()
    for word, *numbers in lines:
        getattr(bill, word.lower())(*numbers)
    return bill.spent


# %% rho_at_least
def rho_at_least(with_them, without, trials, steps):
    from scipy.stats import binomtest

    confidence = 1 - 0.1 / (4 * len(with_them))

    class Share:
        def __init__(self, count):
            found = binomtest(int(count), trials).proportion_ci(confidence, method="exact")
            self.low, self.high = float(found.low), float(found.high)

        def bound(self, other):
            if self.low <= other.high:
                return 0.0
            return (math.sqrt(math.log(1 / other.high)) - math.sqrt(math.log(1 / self.low))) ** 2

    best = 0.0
    for x, y in zip(with_them, without):
        for one, other in ((x, y), (trials - x, trials - y)):
            p, q = Share(one), Share(other)
            best = max(best, p.bound(q), q.bound(p))
    return best / steps / steps


# %% test_conversion
def test_conversion(conversion):
    class Normal:
        def __init__(self, rho):
            self.mu = math.sqrt(2 * rho)

        def delta(self, epsilon):
            from scipy.special import ndtr

            mu = self.mu
            return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

    for rho in (1e-5, 1e-3, 0.1, 1.0, 10.0, 80.0):
        for delta in (1e-18, 1e-9, 1e-4, 0.1):
            epsilon = conversion(rho, delta)
            most = rho + 2 * math.sqrt(rho * math.log(1 / delta))
            if not 0 <= epsilon <= most * (1 + 1e-6):
                raise ValueError("worse than the formula")
            if delta > 1e-10 and Normal(rho).delta(epsilon) > delta * (1 + 1e-4):
                raise ValueError("not true of normal noise")
    # far out: what normal noise has there is no less than the line for its mean alone
    for rho in (0.1, 1.0):
        if conversion(rho, 1e-200) < 0.9 * 2 * math.sqrt(rho * 460):
            raise ValueError("a small delta is lost")
    for own in (0.5, 1.0, 3.0):
        p = 1 / (1 + math.exp(-own))
        delta = p - math.exp(own / 2) * (1 - p)
        if delta <= 0.5 and conversion(own * math.tanh(own / 2), delta) < own / 2 - 1e-4:
            raise ValueError("not true of a coin")
