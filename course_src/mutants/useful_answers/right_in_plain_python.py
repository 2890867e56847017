"""Right: plain loops, digits cut off by hand, tuples for lists."""

# %% errors_by_hand
def errors_by_hand():
    return (12.9, 22.1, 25.6)


# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    def too_large(n):
        noise = 2**0.5 * (high - low) * questions / (epsilon * n)
        return deviation**2 / n + noise**2 > error**2

    high_n = 1
    while too_large(high_n):
        high_n *= 2
    low_n = high_n // 2
    while high_n - low_n > 1:
        middle = (low_n + high_n) // 2
        if too_large(middle):
            low_n = middle
        else:
            high_n = middle
    return high_n


# %% best_bound
def best_bound(report, people, epsilon):
    m = len(report)
    slope = math.sqrt(2) / (epsilon * people)
    stays = [0.0] + sorted(report)
    for i in range(len(stays) - 1):
        above = stays[i + 1:]
        k, total = len(above), sum(above)
        bound = total * k / (k * k + slope**2 * m * m)
        if bound <= stays[i + 1]:
            bound = max(bound, stays[i])
            bias = (total - k * bound) / m
            return bound, math.hypot(bias, slope * bound)


# %% guess_stay
def guess_stay(answers, totals, epsilons):
    best, found = None, 0
    for bound, chance in ((30, 0.4), (60, 0.3), (130, 0.2), (365, 0.1)):
        density = chance
        for answer, total, epsilon in zip(answers, totals, epsilons):
            density *= 30 * epsilon / bound * math.exp(-epsilon * abs(answer - total) / bound)
        if best is None or density > best:
            best, found = density, bound
    return found


# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(max(low, min(x, high)) for x in changes) / n
    cut = min(high, max(low, mean))
    scale = (abs(low) + abs(high)) / n / epsilon
    return cut + rng.laplace(0.0, scale)


# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    half = (high - low) / 2
    total = 0.0
    for value in values:
        if value < low:
            total -= half
        elif value > high:
            total += half
        else:
            total += value - low - half
    count = len(values) + rng.laplace(scale=1 / epsilon / (1 - part))
    return total + rng.laplace(scale=half / epsilon / part), count


# %% test_noisy_mean
def test_noisy_mean(implementation):
    for low, high in ((-5, 3), (1, 4), (-30, -20), (0, 10)):
        for values in ([-100], [200.5], [low, high, 2.5], [0.25, -60, 1, 2], [7, 80, 2, 3, 900]):
            for epsilon in (0.05, 2.5):
                for z in (1, -11.5):
                    n, total = len(values), 0.0
                    for value in values:
                        total += low if value < low else high if value > high else value
                    wanted = (total + z * (high - low) / epsilon) / n
                    if abs(implementation(values[:], low, high, epsilon, z) - wanted) > 1e-8:
                        raise AssertionError


# %% published_total
def published_total(counts, epsilon, least):
    bias, phantoms = 0.0, 0.0
    for c in counts:
        d = abs(least - c) * epsilon
        rare = math.exp(-d) / 2
        if c <= least:
            bias += rare * least + rare / epsilon - c
        else:
            bias -= rare * least - rare / epsilon
        if c == 0:
            phantoms += math.exp(-least * epsilon) / 2
    return bias, phantoms


# %% reach
def reach(sampling, scale, miss):
    def normal_above(x):
        return math.erfc(x / math.sqrt(2)) / 2

    def laplace_above(x):
        return math.exp(-x) / 2 if x > 0 else 1 - math.exp(x) / 2

    def above(w):
        if scale == 0:
            return normal_above(w / sampling)
        if sampling == 0:
            return laplace_above(w / scale)
        steps = 4000
        total = 0.0
        for i in range(steps + 1):
            z = -8 + 16 * i / steps
            total += math.exp(-z * z / 2) * laplace_above((w - sampling * z) / scale)
        return total * 16 / steps / math.sqrt(2 * math.pi)

    low, high = 0.0, 10 * (sampling + scale)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) > miss / 2 else (low, middle)
    return high


# %% year_by_hand
def year_by_hand():
    return [141.4, 64.2, 13, 14.1]


# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Gaussian", "sigma_weeks": 104.4, "sigma_year": 313.0}


# %% witness
def witness(name):
    if name == "longest":
        return [[3], [], [4]]
    if name == "rounded":
        return ([1, 3, 0][:2], [3], [3])
    if name == "cut_late":
        return [[3], [], [3]]
    if name == "if_anybody":
        return [[3, 0], [0], [1, 2, 3]]
