"""Right: plain Python, loops and bisection, no numpy and no scipy."""

# %% words_by_hand
def words_by_hand():
    return (0.12, 0.05, 0.42)


# %% machines_by_hand
def machines_by_hand():
    return [6 / 240, 0.03 + 0.97 * 0.4, 0.3299]


# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    worst = 0.0
    for i, j in neighbours:
        for p, q in ((laws[i], laws[j]), (laws[j], laws[i])):
            total = 0.0
            for a, b in zip(p, q):
                covered = 0.0
                if a > 0 and b > 0:
                    # compare logarithms, so that no power is too large
                    covered = a if math.log(b) + epsilon >= math.log(a) else math.exp(epsilon) * b
                total += a - covered
            worst = max(worst, total)
    return worst


# %% witness
def witness(name):
    if name == "exactly":
        return ([1], [], [KNOWN + 1])
    if name == "upward_noise":
        return ([1], [1, 1], [KNOWN + 1])
    if name == "kept_inside":
        return ([1, 1], [1], [KNOWN + 2])
    if name == "lottery":
        return ([0], [], [KNOWN])
    return None


# %% test_sticks_out
def test_sticks_out(implementation):
    cases = [
        ([0.25, 0.25, 0.5, 0.0], [0.5, 0.05, 0.05, 0.4]),
        ([0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]),
        ([0.0, 0.9, 0.1], [0.9, 0.1, 0.0]),
        ([0.9995, 0.0005], [0.9999, 0.0001]),
    ]
    for p, q in cases:
        for epsilon in (0, 0.2, 0.9, 2, 12):
            total = 0.0
            for a, b in zip(p, q):
                if a > b * math.exp(epsilon):
                    total += a - b * math.exp(epsilon)
            if abs(total - implementation(p, q, epsilon)) > 1e-8:
                raise ValueError("wrong")


# %% worst_tail
def worst_tail(p, q, epsilon):
    # for any price r >= 0 of the slack the total is at most the sum of max(0, p + r (p - e^epsilon q))
    factor = math.exp(epsilon)
    if not any(a > factor * b for a, b in zip(p, q)):
        return 0.0
    prices = [0.0] + [a / (factor * b - a) for a, b in zip(p, q) if factor * b > a]
    best = 1.0
    for r in prices:
        best = min(best, sum(max(0.0, a + r * (a - factor * b)) for a, b in zip(p, q)))
    return best


# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    def mills(x):
        """The tail over the density of a standard normal law."""
        if x < 20:
            return math.sqrt(math.pi / 2) * math.erfc(x / math.sqrt(2)) * math.exp(x * x / 2)
        tail = 0.0
        for i in range(60, 0, -1):
            tail = i / (x + tail)
        return 1 / (x + tail)

    def log_delta(mu):
        a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
        if a < -30:
            return 0.0
        difference = mills(a) - mills(b)
        if difference <= 0:
            return -math.inf
        return -a * a / 2 - math.log(2 * math.pi) / 2 + math.log(difference)

    low, high = -16.0, 7.0
    for _ in range(70):
        middle = (low + high) / 2
        if log_delta(math.exp(middle)) <= math.log(delta):
            low = middle
        else:
            high = middle
    return sensitivity * math.exp(-low) * 1.00005


# %% repaired_kinds
def repaired_kinds(patients, kinds, most, epsilon, delta, rng):
    counts = [0] * kinds
    for examinations in patients:
        for kind in examinations[:most]:
            counts[kind] += 1
    sensitivity = math.sqrt(most)
    sigma = math.sqrt(most) * sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [count + rng.normal(0.0, sigma) for count in counts]


# %% noise_for_lists
def noise_for_lists():
    return {"mechanism": "Gaussian", "sigma_days": 1.9566367 * 8.05762, "sigma_questions": 7.3581338 * 8.05762}


# %% read_stays
def read_stays(answers, others):
    nights = [4, 2, 7, 3, 6, 5]
    best, least = None, math.inf
    for number in range(64):
        stays = [number >> i & 1 for i in range(6)]
        left = [a - o - s * n for a, o, s, n in zip(answers, others, stays, nights)]
        mean = sum(left) / 6
        spread = sum((x - mean) ** 2 for x in left)
        if spread < least:
            best, least = stays, spread
    return best


# %% pair_for_family
def pair_for_family(answers, people):
    epsilon, delta = 0.0, 0.0
    for e, d in answers:
        epsilon += people * e
        one = 0.0
        for _ in range(people):
            # from the inside: delta + e^epsilon (delta + ...)
            one = d + (one * math.exp(e) if e < 700 else math.inf) if one > 0 else d
            one = min(one, 1.0)
        delta += one
    return [epsilon, min(delta, 1.0)]
