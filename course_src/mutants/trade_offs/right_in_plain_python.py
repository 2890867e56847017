"""Right: plain Python, loops and bisection, no numpy and no scipy."""

# %% fewest_misses
def fewest_misses(p, q, a):
    # every line of slope -r below the curve begins at the sum of min(p, r q); the highest wins
    ratios = [x / y for x, y in zip(p, q) if y > 0]
    best = 0.0
    for r in [0.0, *ratios]:
        best = max(best, sum(min(x, r * y) for x, y in zip(p, q)) - r * a)
    return best


# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    for i in range(len(alarms)):
        if misses[i] < -1e-9 or alarms[i] + misses[i] > 1 + 1e-9:
            return False
        if 0 < i < len(alarms) - 1:
            left, right = alarms[i] - alarms[i - 1], alarms[i + 1] - alarms[i]
            coin = (right * misses[i - 1] + left * misses[i + 1]) / (left + right)
            if coin < misses[i] - 1e-9:
                return False
    return True


# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    def curve(a):
        best = 0.0
        for e, d in pairs:
            best = max(best, 1 - d - math.exp(e) * a, math.exp(-e) * (1 - d - a))
        return best

    # f(a) + e^epsilon a is convex: search its least by thirds
    low, high = 0.0, 1.0
    for _ in range(200):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if curve(one) + math.exp(epsilon) * one <= curve(two) + math.exp(epsilon) * two:
            high = two
        else:
            low = one
    return 1 - curve(low) - math.exp(epsilon) * low


# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    def below(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    def inverse(p):
        low, high = -10.0, 10.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) < p else (low, middle)
        return high

    odds = sure / (1 - sure) / (share / (1 - share))
    return 1.0005 * math.sqrt(k) / (inverse(odds * alarms) - inverse(alarms))


# %% is_in
def is_in(answers, wheels):
    odds = 1.0
    for answer, wheel in zip(answers, wheels):
        z = answer - 137
        without = wheel[z + 3] if z <= 3 else 0.0
        with_ada = wheel[z + 2] if z >= -2 else 0.0
        if without == 0:
            return 1
        odds *= with_ada / without
    return 1.0 if odds > 1 else 0.0


# %% test_interval
def test_interval(interval):
    def tail(count, trials, p):
        """The probability of count hits or more."""
        logs = [math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
                + i * math.log(p) + (trials - i) * math.log1p(-p) for i in range(count, trials + 1)]
        return math.fsum(map(math.exp, logs))

    for count, trials in [(0, 20), (20, 20), (1, 20), (19, 20), (6, 20), (2, 3000), (2998, 3000)]:
        low, high = interval(count, trials)
        if not 0 <= low < high <= 1:
            return False
        if (low != 0) if count == 0 else abs(tail(count, trials, low) - 0.025) > 1e-4:
            return False
        if (high != 1) if count == trials else abs(1 - tail(count + 1, trials, high) - 0.025) > 1e-4:
            return False
    return True


# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    def tail(count, p):
        """The probability of count hits or more."""
        if p <= 0 or p > count / trials:
            return float(p > 0 or count == 0)
        logs = [math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
                + i * math.log(p) + (trials - i) * math.log1p(-p)
                for i in range(max(0, count - 1500), min(trials, count + 1500) + 1) if i >= count]
        return sum(map(math.exp, logs))

    error = 0.025 / len(alarms)

    def lower(count):
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(count, middle) < error else (low, middle)
        return low if count else 0.0

    best = 0.0
    for x, y in zip(alarms, finds):
        a, b = 1 - lower(trials - x), 1 - lower(y)
        for more, less in ((1 - b, a), (1 - a, b)):
            if more - delta > 0:
                best = max(best, math.log(more - delta) - math.log(less))
    return best
