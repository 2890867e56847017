"""Right: classes, a queue and a dictionary of rules."""

# %% composed_in_each
class Promise:
    rules = {
        "gauss": lambda x, k, a: math.sqrt(k) * x,
        "alpha": lambda x, k, a: ((1 + a * (a - 1) * x) ** k - 1) / (a * (a - 1)),
    }

    def __init__(self, notion, number, order):
        self.notion, self.number, self.order = notion, number, order

    def to(self, target, delta):
        if self.notion == target:
            return self
        found = [Promise(b, theorem(a, b, self.number, self.order, delta), self.order).to_after(target, delta, {a, b})
                 for a, b in ARROWS if a == self.notion]
        found = [one for one in found if one is not None]
        return min(found, key=lambda one: one.number) if found else None

    def to_after(self, target, delta, seen):
        if self.notion == target:
            return self
        found = []
        for a, b in ARROWS:
            if a == self.notion and b not in seen:
                step = Promise(b, theorem(a, b, self.number, self.order, delta), self.order)
                found.append(step.to_after(target, delta, seen | {b}))
        found = [one for one in found if one is not None]
        return min(found, key=lambda one: one.number) if found else None

    def times(self, k):
        rule = self.rules.get(self.notion, lambda x, k, a: k * x)
        return Promise(self.notion, rule(self.number, k, self.order), self.order)


def composed_in_each(notion, x, k, order, delta):
    start, answer = Promise(notion, x, order), []
    for name in ("pure", "gauss", "zcdp", "renyi", "alpha", "approx"):
        there = start.to(name, delta / k if name == "approx" else delta)
        if there is None:
            answer.append(math.inf)
        else:
            answer.append(there.times(k).to("approx", delta).number)
    return answer


# %% real_epsilon
class Statement:
    def __init__(self, notion, number, unit, neighbours):
        self.notion, self.number = notion, number
        self.unit, self.neighbours = unit, neighbours

    def steps(self, events):
        there = {"event": events}.get(self.unit, 1)
        return there + there if self.neighbours == "left out" else there

    def promises(self, days):
        return {"user": 1}.get(self.unit, days)

    def pure(self, s, k, delta):
        return k * s * self.number

    def zcdp(self, s, k, delta):
        rho, level = k * s**2 * self.number, math.log(1 / delta)
        return (math.sqrt(rho) + math.sqrt(level)) ** 2 - level

    def gauss(self, s, k, delta):
        return theorem("gauss", "approx", math.hypot(*[s * self.number] * k), 2, delta)


def real_epsilon(statement, events, days, delta):
    one = Statement(*statement)
    return getattr(one, one.notion)(one.steps(events), one.promises(days), delta)


# %% belief_by_hand
def belief_by_hand():
    return (1.39, 7.93, 23.77, 18)


# %% witness
def witness(name):
    found = {
        "first_day": [[1, 0, 0], [0, 0, 0], [FIRST + 1]],
        "coin_a_day": [[0, 0, 0], [1, 1, 1], [FIRST]],
        "noisy_number": [[0, 0, 0], [1, 1, 1], [FIRST]],
        "changes": [[0, 0, 0], [0, 1, 0], [FIRST]],
    }
    return found.get(name)
