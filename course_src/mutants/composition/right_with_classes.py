"""Right: classes and generators."""

# %% plan_cost
class Plan:
    def __init__(self, plan):
        self.kind = plan[0] if isinstance(plan, list) else "count"
        self.inner = [Plan(one) for one in plan[1:]] if isinstance(plan, list) else plan

    def added(self):
        if self.kind == "count":
            return self.inner
        if self.kind == "parts":
            return max(one.added() for one in self.inner)
        return sum(one.added() if self.kind == "all" else one.replaced() for one in self.inner)

    def replaced(self):
        if self.kind == "count":
            return self.inner
        if self.kind != "parts":
            return sum(one.replaced() for one in self.inner)
        first, second, *_ = sorted((one.added() for one in self.inner), reverse=True)
        return max([first + second] + [one.replaced() for one in self.inner])


def plan_cost(plan, replaced):
    return Plan(plan).replaced() if replaced else Plan(plan).added()

# %% test_till
class Evening:
    def __init__(self, budget, *asked):
        self.budget, self.asked = budget, asked

    def goes_right(self, till):
        spent = 0.0
        for said, epsilon in zip(till(self.budget, [e for e, _ in self.asked]), self.asked, strict=True):
            if bool(said) != epsilon[1]:
                return False
        return True


def test_till(till):
    evenings = [
        Evening(1.0, (1.0, True), (1 / 64, False)),
        Evening(1.0, (0.5, True), (0.75, False), (0.5, True)),
        Evening(1.0, (1 / 64, True), (1.0, False), (63 / 64, True), (1 / 64, False)),
        Evening(1.0, (63 / 64, True), (2 / 64, False), (1 / 64, True)),
        Evening(4.0, *[(1 / 64, True)] * 64, (3.0, True), (0.5, False), (1 / 64, False)),
        Evening(8.0, (8.0, True), (1.0, False)),
        Evening(2.0, (0.5, True), (0.25, True), (1.0, True), (1.0, False), (0.25, True)),
        Evening(64.0, (63.0, True), (1 + 1 / 64, False), (1.0, True)),
    ]
    return all(evening.goes_right(till) for evening in evenings)

# %% repaired_phone
def repaired_phone(secrets, epsilons, budget, rng):
    spent = 0.0
    answers = []
    for secret, epsilon in zip(secrets, epsilons):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        answer = secret if rng.random() < truth else 1 - secret
        price = abs(epsilon)
        if spent + price > budget:
            answer = -1
        else:
            spent = spent + price
        answers.append(answer)
    return answers
