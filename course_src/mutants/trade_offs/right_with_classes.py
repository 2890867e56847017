"""Right: classes and recursion."""

# %% fewest_misses
def fewest_misses(p, q, a):
    def misses(answers, budget):
        """Of the rest of the answers, the dearest ones."""
        if not answers:
            return 0.0
        (value, price), *rest = answers
        if price > budget:
            return value * (1 - budget / price) + sum(x for x, _ in rest)
        return misses(rest, budget - price)

    class Worth:
        """Compares p/q of two answers without a division."""

        def __init__(self, pair):
            self.pair = pair

        def __lt__(self, other):
            (p1, q1), (p2, q2) = self.pair, other.pair
            return p1 * q2 > p2 * q1

    possible = [(x, y) for x, y in zip(p, q) if x > 0 or y > 0]
    return misses(sorted(possible, key=Worth), a)


# %% delta_from_pairs
class Region:
    def __init__(self, pairs):
        self.lines = [(0.0, 0.0)]
        for e, d in pairs:
            self.lines.append((math.exp(e), 1 - d))
            self.lines.append((math.exp(-e), (1 - d) / math.exp(e)))

    def least_misses(self, a):
        return max(height - slope * a for slope, height in self.lines)

    def corners(self):
        yield 0.0
        for slope, height in self.lines:
            for other, top in self.lines:
                if other > slope:
                    a = (top - height) / (other - slope)
                    if 0 <= a <= 1:
                        yield a


def delta_from_pairs(pairs, epsilon):
    region = Region(pairs)
    return 1 - min(region.least_misses(a) + math.exp(epsilon) * a for a in region.corners())


# %% is_in
class Wheel(dict):
    def __init__(self, chances):
        super().__init__(zip(range(-3, 4), chances))

    def __missing__(self, noise):
        return 0


def is_in(answers, wheels):
    here = there = 1.0
    for answer, chances in zip(answers, wheels):
        wheel = Wheel(chances)
        here, there = here * wheel[answer - 138], there * wheel[answer - 137]
    return int(here > there)
