"""Right: plain Python: loops, bisection and recursion, no numpy and no scipy but for the given table."""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    def below(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    low, high = 0.01, 1000.0
    for _ in range(200):
        s = (low + high) / 2
        found = below(0.5 / s - epsilon * s) - math.exp(epsilon) * below(-0.5 / s - epsilon * s)
        if found <= delta:
            high = s
        else:
            low = s
    normal = high * (1 + 1e-7) * most**0.5
    if 2**0.5 * most / epsilon <= normal:
        return {"mechanism": "Laplace", "scale": most / epsilon}
    return {"mechanism": "Gaussian", "sigma": normal}


# %% release_by_hand
def release_by_hand():
    return [0.35, 0.061, 0.245, 0.091, 1.212]


# %% composed_in_each
def composed_in_each(notion, x, k, order, delta):
    def ways(start, end, used=()):
        if start == end:
            yield []
            return
        for arrow in ARROWS:
            if arrow[0] == start and arrow[1] not in used:
                for rest in ways(arrow[1], end, (*used, start)):
                    yield [arrow, *rest]

    def shortest(start, end, number, level):
        best = math.inf
        for way in ways(start, end):
            there = number
            for source, target in way:
                there = theorem(source, target, there, order, level)
            best = min(best, there)
        return best

    answer = []
    for name in ("pure", "gauss", "zcdp", "renyi", "alpha", "approx"):
        one = shortest(notion, name, x, delta / k if name == "approx" else delta)
        if one == math.inf:
            answer.append(math.inf)
        elif name == "approx":
            answer.append(k * one)
        else:
            total = one
            for i in range(1, k):
                if name == "gauss":
                    total = (total**2 + one**2) ** 0.5
                elif name == "alpha":
                    total = total + one + order * (order - 1) * total * one
                else:
                    total = total + one
            answer.append(shortest(name, "approx", total, delta))
    return answer


# %% worst_word
def worst_word():
    e = math.exp(1.3)

    def rarest(p):
        low, high = 1e-9, p
        for _ in range(60):
            q = (low + high) / 2
            two = p * p / q + (1 - p) ** 2 / (1 - q)
            low, high = (q, high) if two > math.exp(0.4) else (low, q)
        return high

    best, where, width = 0.0, 0.5, 0.5
    for _ in range(5):
        tried = [where + width * i / 20 for i in range(-19, 20)]
        for p in tried:
            if 1e-6 < p < 1 and p - e * rarest(p) > best:
                best, where = p - e * rarest(p), p
        width /= 8
    return {"mechanism": "word", "with_ada": where, "without_her": rarest(where)}


# %% repaired_office
def repaired_office(counts, most, epsilon, delta, rng):
    """The counts with normal noise, (epsilon, delta)-DP together."""
    level = math.log(1 / delta)
    rho = (epsilon / (math.sqrt(level + epsilon) + math.sqrt(level))) ** 2
    sigma = math.sqrt(most / (2 * rho))
    return [count + rng.normal(0.0, sigma) for count in counts]


# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    def above(x):
        return math.erfc(x / math.sqrt(2)) / 2

    c = math.log(limit * (1 - prior) / prior / (1 - limit))
    low, high = 1e-6, 1e3
    for _ in range(200):
        mu = (low + high) / 2
        if above((c - mu * mu / 2) / mu) > chance:
            high = mu
        else:
            low = mu
    return [math.sqrt(counts) / low, above((c + low * low / 2) / low)]


# %% exposures
def exposures(groups, delta, chance):
    rows, people, hidden = 0, 0.0, 0.0
    for n, r in groups:
        rows += n * r
        people -= n * math.expm1(r * math.log1p(-delta))
        hidden += n * r * math.log1p(-delta)
    return (rows * delta, people, math.exp(hidden), -math.expm1(math.log1p(-chance) / rows))


# %% real_epsilon
def real_epsilon(statement, events, days, delta):
    notion, number, unit, neighbours = statement
    steps, promises = 1, days
    if unit == "event":
        steps = events
    if unit == "user":
        promises = 1
    if neighbours == "left out":
        steps = 2 * steps
    if notion == "pure":
        return sum([steps * number] * promises)
    if notion == "zcdp":
        rho = promises * steps * steps * number
        return rho + 2 * (rho * math.log(1 / delta)) ** 0.5

    def below(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    mu = steps * number * promises**0.5
    low, high = 0.0, mu * mu / 2 + mu * 10
    for _ in range(200):
        e = (low + high) / 2
        high_enough = below(mu / 2 - e / mu) - math.exp(e) * below(-mu / 2 - e / mu) <= delta
        low, high = (low, e) if high_enough else (e, high)
    return high
