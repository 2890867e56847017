"""Right: arrays of numpy."""

# %% toy_by_hand
def toy_by_hand():
    return np.array([11, 4, 0.719])


# %% count_from_floats
def count_from_floats(answers, scale):
    best = []
    for count in (0.0, 1.0):
        ways = 1
        for answer in answers:
            near = np.rint(2.0**53 * np.exp(-abs(answer - count) / scale))
            k = near + np.arange(-9, 10)
            k = k[(k >= 1) & (k <= 2.0**53)]
            size = np.array([-scale * math.log(x) for x in k / 2.0**53])
            ways *= np.sum(count + size == answer) + np.sum(count - size == answer)
        best.append(ways)
    return np.argmax(best)


# %% repaired_counts
def repaired_counts(counts, scale, rng):
    more = math.exp(-1 / scale)
    seed = int(rng.integers(2**32))
    answers = []
    for count in counts:
        coins = np.random.default_rng(rng.integers(2**62))
        heads, sign = 0, 0
        while sign == 0:
            sign = 1 if coins.random() < 0.5 else -1
            heads = 0
            while coins.random() < more:
                heads += 1
            if sign + heads == -1:
                sign = 0
        answers.append(count + sign * heads)
    return answers


# %% delta_of_moved
def delta_of_moved(noise, top, epsilon):
    m = len(noise) // 2
    counts = np.arange(top + 1)
    laws = np.zeros((top + 1, top + 1))
    for x, chance in zip(range(-m, m + 1), noise):
        laws[counts, np.clip(counts + x, 0, top)] += chance
    pairs = [(laws[:-1], laws[1:]), (laws[1:], laws[:-1])]
    with np.errstate(divide="ignore", invalid="ignore"):
        return max(
            np.where(q > 0, np.maximum(p - np.exp(min(epsilon, 700)) * q, 0), p).sum(axis=1).max()
            for p, q in pairs
        )


# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    x = np.arange(-3000, 3001)
    normal = np.log(np.sum(np.exp(-0.5 * (x / sigma) ** 2)))
    start = int(np.floor(epsilon * sigma**2 / sensitivity + sensitivity / 2)) + 1
    y = start + np.arange(4000.0)  # the answer, beside a count of 0
    p, q = -0.5 * ((y - sensitivity) / sigma) ** 2, -0.5 * (y / sigma) ** 2
    terms = p + np.log1p(-np.exp(np.minimum(epsilon + q - p, -1e-300)))
    return np.logaddexp.reduce(terms) - normal


# %% snapped_chance
def snapped_chance(answer, value, scale, bound):
    grid = 2 ** np.ceil(np.log2(scale))
    value = np.clip(value, -bound, bound)
    edges = np.array([answer - grid / 2, answer + grid / 2]) - value
    if answer == -bound:
        edges[0] = -np.inf
    if answer == bound:
        edges[1] = np.inf
    if edges[1] <= 0:
        edges = -edges[::-1]
    if edges[0] >= 0:
        low, high = np.exp(-edges / scale) / 2
        return low - high
    return 1 - np.exp(-np.abs(edges) / scale).sum() / 2


# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    again = (1 - np.exp(-0.5)) / 2
    rest = np.zeros(200)
    rest[::2] = again ** np.arange(100)
    rest = np.convolve(rest, [0.7, 0.2, 0.1])
    y, t = np.array(answers).T
    chances = []
    for count in (others, others + 1):
        size = np.abs(y - count)
        left = t - size - 2
        chances.append(np.prod(np.exp(-size / 2) * np.where(left >= 0, rest[np.maximum(left, 0)], 0)))
    return np.argmax(chances)


# %% test_noise_of
def test_noise_of(implementation):
    rng = np.random.default_rng(5)
    for _ in range(300):
        coins = (rng.random(20) < rng.choice([0.15, 0.5, 0.9])).astype(int).tolist() + [1, 0, 1, 0]
        text = np.array(coins)
        place = 0
        while text[place] == 0 and text[place + 1] == 0:
            place += 2
        heads = np.argmin(text[place + 1 :])
        noise, used = implementation(coins)
        assert noise == (heads if text[place] else -heads)
        assert used == place + heads + 2


# %% runs_needed
def runs_needed(p, q, claim):
    from scipy.stats import beta

    masks = (np.arange(1, 2 ** len(p) - 1)[:, None] >> np.arange(len(p))) & 1
    a, b = masks @ np.array(p), masks @ np.array(q)
    a, b = np.concatenate([a, b]), np.concatenate([b, a])

    def most(n):
        return np.max(
            np.log(beta.ppf(0.025, n * a, n - n * a + 1) / beta.ppf(0.975, n * b + 1, n - n * b))
        )

    low, high = 0, 1
    while most(high) <= claim:
        low, high = high, 2 * high
    while high - low > max(1, 0.002 * high):
        middle = (low + high) // 2
        low, high = (low, middle) if most(middle) > claim else (middle, high)
    return high


# %% epsilon_shown
def epsilon_shown(with_ada, without, delta):
    from scipy.stats import beta

    runs = np.array([with_ada, without])
    t = np.arange(10)[:, None]

    def bounds(two):
        hits = np.array([[(y >= t).sum(axis=1), (y <= t).sum(axis=1)] for y in two])
        hits = np.concatenate([hits, hits[::-1]], axis=1)
        x, y, m = hits[0], hits[1], two.shape[1]
        low = np.where(x > 0, beta.ppf(0.025, np.maximum(x, 1), m - x + 1), 0.0)
        high = np.where(y < m, beta.ppf(0.975, y + 1, np.maximum(m - y, 1)), 1.0)
        return np.log(np.maximum((low - delta) / high, 1.0))

    chosen, counted = bounds(runs[:, ::2]), bounds(runs[:, 1::2])
    best = np.unravel_index(np.argmax(chosen), chosen.shape)
    return counted[best] if chosen[best] > 0 else 0.0


# %% witness
def witness(name):
    return {
        "third_each": ([22], [21], [23]),
        "stopping": (np.array([21]), np.array([20]), np.array([23])),
        "begins_anew": ([22.0], [21.0], [22.0]),
        "even": [[23], [22], [23]],
    }.get(name)
