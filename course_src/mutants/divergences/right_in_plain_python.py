"""Right: loops and sums."""

# %% disasters
def disasters(mean, loss):
    def kl(r):
        if r >= 1:
            return loss
        return r * loss + (1 - r) * (math.log1p(-r) - math.log1p(-r * math.exp(-loss)))

    if kl(1.0) <= mean:
        return 1.0
    # between these two by factors
    low, high = mean / loss, 1.0
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        if kl(middle) <= mean:
            low = middle
        else:
            high = middle
    return low


# %% best_bet
def best_bet(p, q, before):
    right, places = 0.0, []
    for i in range(len(p)):
        a, b = before * p[i], (1 - before) * q[i]
        if a > b:
            places.append(i)
            right += a
        else:
            right += b
    return right, places


# %% bent_mean
def bent_mean(corners, slope, p, q):
    total = 0.0
    for x, y in zip(p, q):
        if y == 0:
            total += slope * x
            continue
        u = x / y
        here = None
        for (a, b), (c, d) in zip(corners, corners[1:]):
            if a <= u <= c:
                here = b + (d - b) * (u - a) / (c - a)
                break
        if here is None:
            a, b = corners[-1]
            here = b + slope * (u - a)
        total += y * here
    return total


# %% fewest_words
def fewest_words(p, q):
    numbers = [-1] * len(p)
    following = 0
    for i in range(len(p)):
        if numbers[i] >= 0 or p[i] == q[i] == 0:
            continue
        for j in range(i, len(p)):
            # equal factors without a division
            one, other = p[i] * q[j], p[j] * q[i]
            alike = abs(one - other) <= 1e-6 * max(one, other)
            if p[i] == 0 or p[j] == 0:
                alike = p[i] == p[j] == 0 and q[j] > 0
            if q[i] == 0 or q[j] == 0:
                alike = q[i] == q[j] == 0 and p[j] > 0
            if alike and numbers[j] < 0:
                numbers[j] = following
        following += 1
    return numbers


# %% test_distance
def test_distance(distance):
    def processed(law, rows):
        return [sum(x * row[z] for x, row in zip(law, rows)) for z in range(len(rows[0]))]

    import random

    luck = random.Random(11)

    def some_law():
        weights = [luck.choice([0, 1, 1, 2, 5, 20]) for _ in range(4)]
        weights[luck.randrange(4)] += 1
        return [w / sum(weights) for w in weights]

    channels = [
        [[1, 0], [1, 0], [0, 1], [0, 1]],
        [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]],
        [[0.5, 0.5, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]],
    ]
    for _ in range(60):
        p, q = some_law(), some_law()
        assert abs(distance(p, p)) < 1e-6
        before = distance(p, q)
        assert before >= -1e-6
        if math.isinf(before):
            continue
        for rows in channels:
            assert distance(processed(p, rows), processed(q, rows)) <= before + 1e-6 + 1e-9 * before


# %% is_in
def is_in(evenings, p, q, papers):
    odds = [1.0, 1.0]
    for words in evenings:
        with_her = without = 0.0
        for y in range(6):
            seen = 1.0
            for i in range(3):
                seen *= papers[i][y][words[i]]
            with_her += p[y] * seen
            without += q[y] * seen
        odds[0] *= with_her
        odds[1] *= without
    return odds[0] > odds[1]
