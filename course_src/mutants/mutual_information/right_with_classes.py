"""Right: classes, a grid and recursion."""

# %% capacity_above
class Walk:
    def __init__(self, rows):
        keep = [y for y in range(len(rows[0])) if any(row[y] for row in rows)]
        self.rows = [[row[y] for y in keep] for row in rows]
        self.belief = [1 / len(rows)] * len(rows)

    def distances(self):
        mixture = [sum(w * x for w, x in zip(self.belief, column)) for column in zip(*self.rows)]
        return [sum(x * (math.log(x) - math.log(m)) for x, m in zip(row, mixture) if x) for row in self.rows]

    def step(self):
        far = self.distances()
        parts = [w * math.exp(f) for w, f in zip(self.belief, far)]
        self.belief = [part / sum(parts) for part in parts]

    def bounds(self):
        far = self.distances()
        return sum(w * f for w, f in zip(self.belief, far)), max(far)


def capacity_above(rows, width):
    walk = Walk(rows)
    low, high = walk.bounds()
    while high - low > width:
        walk.step()
        low, high = walk.bounds()
    return high

# %% study
def study():
    def kl(p, m):
        return p * math.log(p / m) + (1 - p) * math.log((1 - p) / (1 - m))

    def capacity(a, b):
        low, high = b, a
        for _ in range(60):
            m = (low + high) / 2
            low, high = (m, high) if kl(a, m) > kl(b, m) else (low, m)
        return kl(a, m)

    best = (math.inf, None, None)
    for i in range(1, 400):
        b = i / 10_000
        for j in range(10, 91):
            a = b * j / 10
            if a >= 0.999 or (1 - b) / (1 - a) > 9:
                continue
            p = (50 * a + 950 * b) / 1000
            spread = math.sqrt(p * (1 - p)) / abs(a - b) if a != b else math.inf
            if spread < best[0] and capacity(a, b) <= 0.04:
                best = (spread, a, b)
    return {"mechanism": "instrument", "yes_if_ill": best[1], "yes_if_not": best[2]}

# %% has_trait
def has_trait(answers, law, truths):
    def chance(table, heard):
        if not heard:
            return table
        (answer, truth), *rest = heard
        return sum((truth if answer == entry else 1 - truth) * chance(table[entry], rest) for entry in (0, 1))

    own, *others = zip(answers, truths)
    ratio = [chance(law[a], others) * (own[1] if own[0] == a else 1 - own[1]) for a in (0, 1)]
    return int(ratio[1] > ratio[0])
