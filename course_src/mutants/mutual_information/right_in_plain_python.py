"""Right: loops, no numpy."""

# %% capacity_above
def capacity_above(rows, width):
    weights = [1.0] * len(rows)
    while True:
        total = math.fsum(weights)
        weights = [w / total for w in weights]
        mixture = [math.fsum(w * row[y] for w, row in zip(weights, rows)) for y in range(len(rows[0]))]
        far = []
        for row in rows:
            far.append(math.fsum(x * math.log(x / m) for x, m in zip(row, mixture) if x > 0))
        mean = math.fsum(w * f for w, f in zip(weights, far))
        if max(far) <= mean + width:
            return max(far)
        weights = [w * math.exp(f) for w, f in zip(weights, far)]

# %% alone_and_known
def alone_and_known(law, rows):
    answers = len(rows[0][0])
    others = len(law[0])

    def entropy(masses):
        return -math.fsum(m * math.log(m) for m in masses if m > 0)

    joint = [[[law[x][z] * rows[x][z][y] for y in range(answers)] for z in range(others)] for x in range(len(law))]
    xy = [[math.fsum(joint[x][z][y] for z in range(others)) for y in range(answers)] for x in range(len(law))]
    zy = [[math.fsum(joint[x][z][y] for x in range(len(law))) for y in range(answers)] for z in range(others)]
    x_ = [math.fsum(row) for row in xy]
    y_ = [math.fsum(column) for column in zip(*xy)]
    z_ = [math.fsum(row) for row in zy]
    flat = [m for plane in joint for line in plane for m in line]
    xz = [m for line in law for m in line]
    one = entropy(x_) + entropy(y_) - entropy([m for line in xy for m in line])
    two = entropy(xz) + entropy([m for line in zy for m in line]) - entropy(flat) - entropy(z_)
    return [one, two]

# %% level_of_desk
def level_of_desk(laws):
    def distance(row, mixture):
        return sum(x * math.log(x / m) for x, m in zip(row, mixture) if x > 0)

    best = 0.0
    for s in range(len(laws)):
        for t in range(s):
            if bin(s ^ t).count("1") != 1:
                continue
            low, high = 0.0, 1.0
            for _ in range(60):
                w = (low + high) / 2
                mixture = [w * p + (1 - w) * q for p, q in zip(laws[s], laws[t])]
                p, q = distance(laws[s], mixture), distance(laws[t], mixture)
                if p > q:
                    low = w
                else:
                    high = w
            best = max(best, w * p + (1 - w) * q)
    return best

# %% has_trait
def has_trait(answers, law, truths):
    odds = [0.0, 0.0]
    for family in range(8):
        a, b, c = family >> 2, family >> 1 & 1, family & 1
        p = law[a][b][c]
        p *= truths[0] if a == answers[0] else 1 - truths[0]
        p *= truths[1] if b == answers[1] else 1 - truths[1]
        p *= truths[2] if c == answers[2] else 1 - truths[2]
        odds[a] += p
    return int(odds[1] > odds[0])

# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if rng.random() < truth else 1 - smokes
    second = drinks if toss >= 1 - truth else 1 - drinks
    return 2 * first + second
