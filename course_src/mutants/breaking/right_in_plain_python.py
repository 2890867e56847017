"""Right: loops and Python's own modules, bisection for the limits."""

# %% toy_by_hand
def toy_by_hand():
    return [11.0, 4.0, 0.718]


# %% count_from_floats
def count_from_floats(answers, scale):
    def possible(answer, count):
        near = int(2**53 * math.exp(-abs(answer - count) / scale))
        for k in range(near - 12, near + 13):
            if 0 < k <= 2**53:
                size = -scale * math.log(k / 2**53)
                if answer in (count + size, count - size):
                    return True
        return False

    for answer in answers:
        for count in (0, 1):
            if not possible(answer, count):
                return 1 - count
    return 0


# %% delta_of_moved
def delta_of_moved(noise, top, epsilon):
    m = (len(noise) - 1) // 2

    def chance(y, count):
        total = 0.0
        for i in range(len(noise)):
            if max(0, min(top, count + i - m)) == y:
                total += noise[i]
        return total

    worst = 0.0
    for n in range(top):
        for a, b in ((n, n + 1), (n + 1, n)):
            over = 0.0
            for y in range(top + 1):
                p, q = chance(y, a), chance(y, b)
                if q == 0:
                    over += p
                elif epsilon < 700 and p > math.exp(epsilon) * q:
                    over += p - math.exp(epsilon) * q
            worst = max(worst, over)
    return worst


# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    def weight(x):
        return -x * x / (2 * sigma * sigma)

    total = sum(math.exp(weight(x)) for x in range(-8000, 8001))
    first = math.floor(epsilon * sigma**2 / sensitivity - sensitivity / 2) + 1
    result = 0.0
    for x in range(first, first + 6000):
        over = (2 * x * sensitivity + sensitivity**2) / (2 * sigma**2) - epsilon
        if over > 0:
            result += math.exp(weight(x) - weight(first)) * -math.expm1(-over)
    return weight(first) + math.log(result) - math.log(total)


# %% snapped_chance
def snapped_chance(answer, value, scale, bound):
    grid = 1.0
    while grid < scale:
        grid *= 2
    while grid >= 2 * scale:
        grid /= 2
    value = max(-bound, min(bound, value))
    low, high = answer - grid / 2 - value, answer + grid / 2 - value
    if answer == bound:
        high = 1e300
    if answer == -bound:
        low = -1e300
    if high < 0:
        low, high = -high, -low
    if low > 0:
        return 0.5 * math.exp(-low / scale) * (1 - math.exp((low - high) / scale))
    return 1 - 0.5 * math.exp(low / scale) - 0.5 * math.exp(-high / scale)


# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    odds = [1.0, 1.0]
    for answer, milliseconds in answers:
        for bit in (0, 1):
            size = abs(answer - others - bit)
            total = 0.0
            for tries in range(60):
                for late, chance in ((0, 0.7), (1, 0.2), (2, 0.1)):
                    if size + 2 + 2 * tries + late == milliseconds:
                        total += chance * ((1 - math.exp(-0.5)) / 2) ** tries
            odds[bit] *= total * math.exp(-size / 2)
    return 1 if odds[1] > odds[0] else 0


# %% test_noise_of
def test_noise_of(implementation):
    for again in range(5):
        for sign in (1, 0):
            for heads in range(10):
                if heads == 0 and sign == 0:
                    continue
                coins = [0, 0] * again + [sign] + [1] * heads + [0, 0, 1, 1, 0, 1, 0]
                noise, used = implementation(coins)
                assert noise == (heads if sign else -heads)
                assert used == 2 * again + heads + 2


# %% witness
def witness(name):
    if name == "third_each":
        return [[22], [21], [23]]
    if name == "stopping":
        return [[22], [23], [20]]
    if name == "begins_anew":
        return [[20], [21], [20]]
    if name == "even":
        return [[21], [20], [22, 23]]


# %% epsilon_shown
def epsilon_shown(with_ada, without, delta):
    from scipy.stats import beta

    def bound(frequent, other, event):
        m = len(frequent)
        x, y = sum(map(event, frequent)), sum(map(event, other))
        low = beta.ppf(0.025, x, m - x + 1) if x else 0.0
        high = beta.ppf(0.975, y + 1, m - y) if y < m else 1.0
        return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0

    first, then, most = None, None, 0.0
    for t in range(10):
        for event in (lambda a, t=t: a >= t, lambda a, t=t: a <= t):
            for one, other in ((with_ada, without), (without, with_ada)):
                found = bound(one[::2], other[::2], event)
                if found > most:
                    most, first, then = found, event, (one[1::2], other[1::2])
    return bound(*then, first) if first else 0.0
