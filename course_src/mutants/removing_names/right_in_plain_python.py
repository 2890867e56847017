"""Right: loops, fractions and a local search, no numpy."""

# %% alone_by_hand
def alone_by_hand():
    others = 1499 / (4 * 365)
    return (others, (1 - 1 / 1460) ** 1499)


# %% given_away
def given_away(columns):
    rows = sorted(RELEASED, key=lambda row: [row[name] for name in columns])
    total, start = 0, 0
    for i in range(1, len(rows) + 1):
        if i < len(rows) and all(rows[i][name] == rows[start][name] for name in columns):
            continue
        group = rows[start:i]
        if all(row["diagnosis"] == group[0]["diagnosis"] for row in group):
            total += i - start
        start = i
    return total


# %% weights_by_hand
def weights_by_hand():
    return [1 / 2, 1 / 2, -1 / 2] + [0.0] * 4


# %% fill_gaps
def fill_gaps(table):
    known = {(r, c): x for r, row in enumerate(table) for c, x in enumerate(row) if x is not None}
    gaps = [(r, c) for r in range(4) for c in range(5) if (r, c) not in known]

    def fill():
        for r, c in gaps:
            if (r, c) in known:
                continue
            row = [(r, j) for j in range(5) if j != c]
            column = [(i, c) for i in range(4) if i != r]
            if all(place in known for place in row):
                known[r, c] = known[r, 5] - sum(known[place] for place in row)
                return fill()
            if all(place in known for place in column):
                known[r, c] = known[4, c] - sum(known[place] for place in column)
                return fill()

    fill()
    return [known[place] for place in gaps]


# %% answers_by_hand
def answers_by_hand():
    k = 2 * 25 * 16
    return [k, 9 * k]


# %% guessed_count
def guessed_count(answers, sigmas):
    # the whole number whose squared errors, each in units of its noise, are least
    near = sorted(answers)[len(answers) // 2]
    tried = range(int(near) - 8, int(near) + 10)
    return min(tried, key=lambda n: sum(((x - n) / s) ** 2 for x, s in zip(answers, sigmas)))


# %% rebuild
def rebuild(groups, answers):
    # local search: turn over the bits that make more answers exactly right, from many starts
    import random

    chance = random.Random(3)
    best, most = None, -1
    while most < 85:
        bits = [chance.randint(0, 1) for _ in range(20)]
        errors = [sum(g[i] * bits[i] for i in range(20)) - a for g, a in zip(groups, answers)]
        cost = sum(min(abs(e), 6) for e in errors)
        better = True
        while better:
            better = False
            for i in range(20):
                step = 1 - 2 * bits[i]
                new = [e + step * g[i] for e, g in zip(errors, groups)]
                other = sum(min(abs(e), 6) for e in new)
                if other < cost:
                    bits[i], errors, cost, better = 1 - bits[i], new, other, True
        right = sum(e == 0 for e in errors)
        if right > most:
            best, most = bits[:], right
    return best


# %% in_study
def in_study(answers, shares):
    person, counts = answers
    inside = outside = 1.0
    for has, count, p in zip(person, counts, shares):
        inside *= count / 12 if has else 1 - count / 12
        outside *= p if has else 1 - p
    return inside > outside


# %% witness
def witness(name):
    found = {
        "true_count": ([1, 0, 0], [0, 0, 0], [1]),
        "one_of_three": ([0, 0, 1], [0, 0, 0], [1]),
        "one_up_or_down": ([1, 1, 1], [1, 0, 1], [5, 6]),
        "asked_again": ([1, 1, 1], [1, 1, 0], [6]),
    }
    return found.get(name)


# %% repaired_desk
def repaired_desk(table, rng):
    count = sum(table)
    noisy = count + int(rng.geometric(2 / 3) - rng.geometric(2 / 3))
    noisy = min(3, max(0, noisy))
    if not noisy >= 2:  # what is said decides
        return -1
    return noisy
