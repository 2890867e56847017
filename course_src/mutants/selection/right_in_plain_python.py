"""Right: loops, and no numpy."""

# %% named_by_hand
def named_by_hand():
    return (0.692, 0.142, 5.571)

# %% test_named
def test_named(implementation):
    for scores in ([2.0, 5.5, 3.0], [-7.0, -6.0, -7.25], [4.0, 4.0, 4.5], [-3e5, -3e5 + 0.7],
                   [8e5, 8e5 - 1]):
        for sensitivity, epsilon in ((1, 0.8), (4, 9), (0.2, 0.3), (1, 3)):
            for monotonic in (False, True):
                t = epsilon / (sensitivity * (2 - monotonic))
                weights = [1 / sum(math.exp(t * (x - s)) if t * (x - s) < 700 else math.inf
                                   for x in scores) for s in scores]
                below = 0.0
                for r, p in enumerate(weights):
                    for part in (0.03, 0.5, 0.97):
                        u = below + part * p
                        if p > 1e-4 and 0.001 < u < 0.999:
                            assert implementation(scores, sensitivity, epsilon, monotonic, u) == r
                    below += p

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    best = max(scores)
    gaps = [best - s for s in scores]
    bad = [g for g in gaps if g > behind]
    if len(bad) <= beta * len(gaps):
        return 0

    def share(t):
        return sum(math.exp(-t * g) for g in bad) / sum(math.exp(-t * g) for g in gaps)

    low, high = 1e-12, 1e6  # by halving the ratio
    for _ in range(300):
        t = math.sqrt(low * high)
        if share(t) > beta:
            low = t
        else:
            high = t
    return high * sensitivity if monotonic else 2 * high * sensitivity

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    inside = sorted(min(max(x, low), high) for x in ages)
    ends = [low, *inside, high]
    n = len(ages)
    parts = [(a, b, -abs(n - 2 * i)) for i, (a, b) in enumerate(zip(ends, ends[1:])) if b > a]
    best = max(score for _, _, score in parts)
    masses = [(b - a) * math.exp(epsilon * (score - best) / 2) for a, b, score in parts]
    left = u * math.fsum(masses)
    for (a, b, _), mass in zip(parts, masses):
        if left <= mass:
            return a + (b - a) * left / mass if mass > 0 else a
        left -= mass
    return high

# %% witness
def witness(name):
    if name == "longest":
        return [[0, 1], [0, 0], [21]]
    if name == "one_of_the_names":
        return [[1, 1], [1, 0], [21]]
    if name == "loudest_and_how_loud":
        return [[1, 1], [2, 2], [20, 21, 23, 24]]
    if name == "bell_by_counts":
        return [[0, 0], [1, 1], [22]]
    if name == "bell_by_threshold":
        return [[1, 0], [0, 0], [22]]

# %% bell_by_hand
def bell_by_hand():
    return [0.541, 0.958, 1.041, 1.097]

# %% guess_ill
def guess_ill(answers, margins, hers):
    def log_tail(t):
        return -t / 2 - math.log(2) if t > 0 else math.log(1 - math.exp(t / 2) / 2)

    best = []
    for ill in (0, 1):
        fits = []
        for step in range(-30, 31):
            z = step / 3
            fits.append(sum(y * log_tail(z - m - h * ill) + (60 - y) * log_tail(m + h * ill - z)
                            for y, m, h in zip(answers, margins, hers)) - abs(z) / 2)
        top = max(fits)
        best.append(top + math.log(sum(math.exp(f - top) for f in fits)))
    return 1 if best[1] > best[0] else 0

# %% survey
def survey(answers, k, epsilon, meant):
    n = len(answers)
    e = math.exp(epsilon)
    estimates, deviations = [], []
    for ward in range(k):
        said = sum(1 for a in answers if a == ward)
        estimates.append((said * (e + k - 1) - n) / (e - 1))
        m = meant[ward]
        deviations.append(math.sqrt(m * e * (k - 1) + (n - m) * (e + k - 2)) / (e - 1))
    return estimates, deviations

# %% die_for_clinics
def die_for_clinics():
    best = min((math.sqrt(q * (1 - q)) / (p - q), p, q) for p in [i / 1000 for i in range(200, 900)]
               for q in [1 / (1 + math.exp(2) * (1 - p) / p)])
    return {"mechanism": "bits", "kept": best[1], "made": best[2]}
