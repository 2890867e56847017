"""Right: plain loops."""

# %% three_by_hand
def three_by_hand():
    return [108.0, 0.51923, 0.07692]

# %% plan_cost
def plan_cost(plan, replaced):
    if isinstance(plan, (int, float)):
        return plan
    costs = []
    for one in plan[1:]:
        costs.append((plan_cost(one, False), plan_cost(one, True)))
    if plan[0] == "all":
        total = 0
        for a, r in costs:
            total += r if replaced else a
        return total
    if plan[0] == "ranks":
        total = 0
        for a, r in costs:
            total += r
        return total
    best = 0
    for i in range(len(costs)):
        best = max(best, costs[i][replaced])
        for j in range(len(costs)):
            if replaced and i != j:
                best = max(best, costs[i][0] + costs[j][0])
    return best

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    def by_sum(k):
        return k * step_epsilon <= epsilon and k * step_delta <= delta

    def by_theorem(k):
        left = 1 - (1 - delta) / (1 - step_delta) ** k if step_delta > 1e-5 else delta - k * step_delta
        if left <= 0:
            return False
        return step_epsilon * (k * math.tanh(step_epsilon / 2) + math.sqrt(-2 * k * math.log(left))) <= epsilon

    def most(fits):
        k, step = 0, 2**31
        while step >= 1:
            if fits(k + step):
                k += step
            step //= 2
        return k

    return max(most(by_sum), most(by_theorem))

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    # the terms from the most true answers down, each from the one before
    log_term = -k * math.log1p(math.exp(-step_epsilon))
    logs = []
    for false in range(k + 1):
        gap = (k - 2 * false) * step_epsilon - epsilon
        if gap <= 0:
            break
        logs.append(log_term + math.log(1 - math.exp(-gap)) if gap > 1e-3 else log_term + math.log(gap - gap**2 / 2 + gap**3 / 6))
        log_term += math.log((k - false) / (false + 1)) - step_epsilon
    coins = sum(math.exp(x) for x in logs)
    if step_delta == 0:
        return coins
    kept = k * math.log1p(-step_delta)
    return -math.expm1(kept) + math.exp(kept) * coins

# %% test_till
def test_till(till):
    def right(budget, epsilons):
        said = []
        for epsilon in epsilons:
            said.append(epsilon <= budget)
            if said[-1]:
                budget -= epsilon
        return said

    import random
    draw = random.Random(5)
    for n in range(60):
        budget = draw.randint(8, 256) / 64
        epsilons = [draw.randint(1, 96 if n % 2 else 12) / 64 for _ in range(draw.randint(1, 90))]
        assert [bool(x) for x in till(budget, list(epsilons))] == right(budget, epsilons)
    assert list(till(1.0, [0.5, 0.5])) == [1, 1]
    assert list(till(1.0, [1 / 64] * 80)) == [1] * 64 + [0] * 16
    assert list(till(1.0, [0.5, 0.5 + 1 / 64])) == [1, 0]

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    one = zero = 1.0
    for heard, kind, epsilon in zip(answers, kinds, epsilons):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        if kind == "kept":
            heard = [heard[0]]
        for bit in heard:
            one *= truth if bit == 1 else 1 - truth
            zero *= 1 - truth if bit == 1 else truth
    if one > zero:
        return 1
    return 0

# %% repaired_phone
def repaired_phone(secrets, epsilons, budget, rng):
    spent = 0.0
    answers = []
    for secret, epsilon in zip(secrets, epsilons):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        answer = secret if rng.random() < truth else 1 - secret
        price = epsilon + 0.0 * answer
        if spent + price > budget:
            answer = -1
        else:
            spent = spent + price
        answers.append(answer)
    return answers

# %% noise_for_year
def noise_for_year():
    below = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    sigma = 6.0
    while below(3 / sigma - 0.8 * sigma / 6) - math.exp(0.8) * below(-3 / sigma - 0.8 * sigma / 6) > 1e-6:
        sigma += 0.01
    return {"sigma": sigma, "mechanism": "Gaussian"}

# %% evenings_by_hand
def evenings_by_hand():
    return [20.23, 49.40]
