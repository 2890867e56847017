"""Right: classes, recursion and brute force."""

# %% given_away
class Groups:
    """Rows by what is known of them, with all their diagnoses."""

    def __init__(self, rows, columns):
        self.rows = {}
        for row in rows:
            key = "|".join(row[name] for name in columns)
            self.rows[key] = self.rows.get(key, []) + [row["diagnosis"]]

    def sure(self):
        return [group for group in self.rows.values() if group.count(group[0]) == len(group)]


def given_away(columns):
    if not columns:
        return 0
    return sum(map(len, Groups(RELEASED, columns).sure()))


# %% fill_gaps
class Line:
    def __init__(self, places, total):
        self.places, self.total = list(places), total

    def missing(self, known):
        return [place for place in self.places if place not in known]

    def fill(self, known):
        (place,) = self.missing(known)
        known[place] = self.total - sum(known[other] for other in self.places if other != place)


def fill_gaps(table):
    inner = [(r, c) for r in range(4) for c in range(5)]
    known = {(r, c): table[r][c] for r, c in inner if table[r][c] is not None}
    gaps = [place for place in inner if place not in known]
    lines = [Line([(r, c) for c in range(5)], table[r][5]) for r in range(4)]
    lines += [Line([(r, c) for r in range(4)], table[4][c]) for c in range(5)]
    while len(known) < len(inner):
        next(line for line in lines if len(line.missing(known)) == 1).fill(known)
    return [float(known[place]) for place in gaps]


# %% guessed_count
def guessed_count(answers, sigmas):
    # two offices are joined to one, until there is one
    def joined(offices):
        if len(offices) == 1:
            return offices[0][0]
        (x, v), (y, w), *rest = offices
        return joined([((x * w + y * v) / (v + w), v * w / (v + w)), *rest])

    return int(math.floor(joined([(x, s * s) for x, s in zip(answers, sigmas)]) + 0.5))


# %% rebuild
def rebuild(groups, answers):
    # all tables of ten people, and the best of each half in turn, by how many answers they fit
    g, a = np.array(groups), np.array(answers)
    halves = (np.arange(1024)[:, None] >> np.arange(10)) & 1
    left, right = halves @ g[:, :10].T, halves @ g[:, 10:].T
    best = (-1, None)
    for i in range(1024):
        fits = ((left[i] + right) == a).sum(axis=1)
        j = int(fits.argmax())
        best = max(best, (int(fits[j]), (i, j)), key=lambda one: one[0])
    i, j = best[1]
    return [*halves[i].tolist(), *halves[j].tolist()]


# %% in_study
def in_study(answers, shares):
    odds = 1.0
    for has, count, p in zip(*answers, shares):
        odds *= (count if has else 12 - count) / 12 / (p if has else 1 - p)
    return 1.0 if odds > 1 else 0.0


# %% witness
def witness(name):
    if name in ("coin_for_each", "even_numbers", "wheel"):
        return None
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name == "one_of_three":
        return (np.array([0, 1, 1]), np.array([1, 1, 1]), [0])
    if name == "one_up_or_down":
        return [[0, 1, 0], [0, 0, 0], [3]]
    return [[0, 0, 0], [0, 0, 1], [0]]
