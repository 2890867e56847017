"""Right: classes, recursion, fractions."""

# %% count_from_floats
class Device:
    def __init__(self, count, scale):
        self.count, self.scale = count, scale

    def ways(self, answer):
        near = round(math.exp(-abs(answer - self.count) / self.scale) * 2**53)
        draws = range(max(near - 10, 1), min(near + 10, 2**53) + 1)
        sizes = [-self.scale * math.log(k / 2**53) for k in draws]
        return sum(self.count + s == answer for s in sizes) + sum(self.count - s == answer for s in sizes)


def count_from_floats(answers, scale):
    zero, one = Device(0, scale), Device(1, scale)
    odds = [(zero.ways(y), one.ways(y)) for y in answers]
    if any(a == 0 for a, _ in odds):
        return 1
    if any(b == 0 for _, b in odds):
        return 0
    return int(sum(math.log(b / a) for a, b in odds) > 0)


# %% repaired_counts
def repaired_counts(counts, scale, rng):
    more = math.exp(-1 / scale)
    seed = int(rng.integers(2**32))
    answers = []
    for count in counts:
        coins = rng  # fresh coins for each count
        heads, sign = 0, 0
        while sign == 0:
            sign = 1 if coins.random() < 0.5 else -1
            heads = 0
            while coins.random() < more:
                heads += 1
            if not heads and sign < 0:
                sign = 0
        answers.append(count + sign * heads)
    return answers


# %% delta_of_moved
def delta_of_moved(noise, top, epsilon):
    from fractions import Fraction

    m = len(noise) // 2

    class Law(dict):
        def __init__(self, count):
            for x, chance in enumerate(noise, start=-m):
                y = sorted([0, count + x, top])[1]
                self[y] = self.get(y, Fraction(0)) + Fraction(chance)

        def above(self, other):
            if epsilon > 500:
                return sum(p for y, p in self.items() if not other.get(y))
            factor = Fraction(math.exp(epsilon))
            return sum(max(Fraction(0), p - factor * other.get(y, 0)) for y, p in self.items())

    laws = [Law(count) for count in range(top + 1)]
    return float(max(max(a.above(b), b.above(a)) for a, b in zip(laws, laws[1:])))


# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    again = (1 - math.exp(-1 / 2)) / 2

    def left_over(rest):
        if rest < 0:
            return 0.0
        return ([0.7, 0.2, 0.1][rest] if rest < 3 else 0.0) + again * left_over(rest - 2)

    def loss(answer, milliseconds):
        far, near = abs(answer - others), abs(answer - others - 1)
        one, zero = left_over(milliseconds - near - 2), left_over(milliseconds - far - 2)
        if one == 0 or zero == 0:
            return math.inf if one else -math.inf
        return math.log(one / zero) + (far - near) / 2

    return int(sum(loss(*pair) for pair in answers) > 0)


# %% test_noise_of
def test_noise_of(implementation):
    def right(coins, used=0):
        sign, *rest = coins
        heads = rest.index(0)
        if not sign and not heads:
            return right(coins[2:], used + 2)
        return [heads if sign else -heads, used + heads + 2]

    for number in range(512):
        coins = [int(x) for x in f"{number:09b}"] + [1, 0]
        if implementation(coins) != right(coins):
            return False
    return True
