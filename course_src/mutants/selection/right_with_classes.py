"""Right: classes, recursion and polynomials."""

# %% median_quantile
class Piece:
    def __init__(self, start, end, log_weight):
        self.start, self.end = start, end
        self.log = log_weight + math.log(end - start)


def median_quantile(ages, low, high, epsilon, u):
    cuts = sorted([low, high, *(min(high, max(low, x)) for x in ages)])
    n = len(ages)
    pieces = [Piece(a, b, -epsilon * abs(2 * i - n) / 2)
              for i, (a, b) in enumerate(zip(cuts, cuts[1:])) if a < b]
    top = max(piece.log for piece in pieces)
    total = sum(math.exp(piece.log - top) for piece in pieces)

    def find(i, rest):
        piece = pieces[i]
        share = math.exp(piece.log - top) / total
        if rest <= share or i == len(pieces) - 1:
            return piece.start + (piece.end - piece.start) * rest / share
        return find(i + 1, rest - share)

    heavy = [piece for piece in pieces if math.exp(piece.log - top) > 0]
    pieces = heavy
    import sys

    sys.setrecursionlimit(10000)
    return find(0, u)

# %% witness
class Desk:
    def __init__(self, law):
        self.law = law


def geometric(b, reach=40):
    return {z: (b - 1) / (b + 1) * b ** -abs(z) for z in range(-reach, reach + 1)}


def loud(table):
    law = {}
    for i, p in geometric(4).items():
        for j, q in geometric(4).items():
            a, b = table[0] + i, table[1] + j
            key = 20 + (0 if a >= b else 3) + min(2, max(0, a, b))
            law[key] = law.get(key, 0) + p * q
    return law


def names(table):
    total = sum(table)
    return {20 + i: x / total if total else 0.5 for i, x in enumerate(table)}


def bell(old, new):
    def law(table):
        found = {20: 0.0, 21: 0.0, 22: 0.0}
        for z, p in (geometric(old) if old else {0: 1.0}).items():
            for i in (0, 1):
                up = sum(q for x, q in geometric(new).items() if table[i] + x >= 1 + z)
                found[20 + i] += p * up
                p *= 1 - up
            found[22] += p
        return found
    return law


def bits(table):
    found = {}
    for z, p in geometric(4).items():
        key = 20 + 2 * (table[0] >= 1 + z) + (table[1] >= 1 + z)
        found[key] = found.get(key, 0) + p
    return found


def witness(name):
    laws = {"longest": lambda t: {20 + int(t[1] > t[0]): 1.0}, "one_of_the_names": names,
            "loudest_and_how_loud": loud, "bell": bell(2, 2), "bell_by_counts": bell(None, 4),
            "bell_by_threshold": bits}
    if name not in laws:
        return None
    tables = [[a, b] for a in range(3) for b in range(3)]
    for one in tables:
        for other in tables:
            steps = {y - x for x, y in zip(one, other)}
            if steps in ({0, 1}, {1}, {0, -1}, {-1}):
                p, q = laws[name](one), laws[name](other)
                event = [y for y in p if p[y] > 4 * q.get(y, 0)]
                if sum(p[y] - 4 * q.get(y, 0) for y in event) >= 0.011:
                    return [one, other, event]
    return None
