"""Right: plain loops, digits cut off by hand, ints for floats, bools for bits."""

# %% wheel_by_hand
def wheel_by_hand():
    return (2.285, 0.287, 1.178)


# %% survey
def survey(answers, truth, yes):
    yeses = 0
    for answer in answers:
        if answer == 1:
            yeses += 1
    n = len(answers)
    y = yeses / n
    variance = y * (1 - y) / (n * truth**2)
    return y / truth - yes / truth, variance**0.5


# %% least_epsilon
def least_epsilon(laws, neighbours):
    factor = 1.0
    for pair in neighbours:
        for p, q in zip(laws[pair[0]], laws[pair[1]]):
            small, large = min(p, q), max(p, q)
            if large == 0:
                continue
            if small == 0:
                return float("inf")
            if large / small > factor:
                factor = large / small
    return math.log(factor)


# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1, 0], [0], [5, 8, 4, 7]]
    if name == "coin_for_each":
        return [[0, 0, 0], [0, 0], [3]]
    if name == "hardly_ever":
        return [[1, 0], [0], [1]]


# %% sensitivities_by_hand
def sensitivities_by_hand():
    return 12, 20, 10, 20


# %% searched_sensitivity
def searched_sensitivity(name, values, most, replaced):
    tables = [[]]
    layer = [[]]
    for _ in range(most):
        layer = [table + [value] for table in layer for value in values]
        tables += layer

    def change(a, b):
        if isinstance(a, list):
            return sum(abs(x - y) for x, y in zip(a, b))
        return abs(a - b)

    found = 0
    for table in tables:
        for i in range(len(table)):
            left = table[:i] + table[i + 1:]
            others = [table[:i] + [v] + table[i + 1:] for v in values] if replaced else [left]
            for other in others:
                found = max(found, change(QUESTIONS[name](table), QUESTIONS[name](other)))
    return found


# %% released_counts
def released_counts(patients, wards, epsilon, replaced, rng):
    noisy = []
    for ward in range(wards):
        count = 0
        for patient in patients:
            if patient == ward:
                count += 1
        scale = 2 / epsilon if replaced else 1 / epsilon
        noisy.append(count + rng.exponential(scale) - rng.exponential(scale))
    return noisy


# %% test_noisy_answer
def test_noisy_answer(implementation):
    log2 = math.log(2)
    cases = [
        # half of half of the probability lies below b log(1/2)
        ((10, 1, 1, 0.25), 10 - log2),
        ((10, 1, 1, 0.75), 10 + log2),
        ((10, 2.5, 1, 0.25), 10 - 2.5 * log2),
        ((10, 1, 4, 0.75), 10 + log2 / 4),
        ((10, 3, 0.1, 0.75), 10 + 30 * log2),
        ((0, 1, 1, 0.125), -2 * log2),
        ((3.4, 0.5, 0.5, 0.5), 3.4),
        ((-40, 1, 0.2, 0.875), -40 + 10 * log2),
        # the ends of the ranges
        ((1000, 10, 0.01, 0.001), 1000 + 1000 * math.log(0.002)),
        ((-1000, 10, 0.01, 0.999), -1000 - 1000 * math.log(0.002)),
    ]
    for arguments, right in cases:
        assert abs(implementation(*arguments) - right) <= 1e-9, arguments


# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = [0, 0, 0]
    for days in visits:
        used = [0, 0, 0]
        for day in days[:most]:  # these, and no others
            if used[day] < most:
                used[day] += 1
                counts[day] += 1
    scale = most / epsilon
    return [count + rng.laplace(0.0, scale) for count in counts]


# %% after_answers
def after_answers(before, lines, people):
    epsilon = 0
    for one, word in lines:
        if word == "fresh":
            epsilon += one
    epsilon *= people
    if epsilon > 700:
        return [epsilon, 0, 1]
    odds = before / (1 - before)
    low, high = odds * math.exp(-epsilon), odds * math.exp(epsilon)
    return [epsilon, low / (1 + low), high / (1 + high)]


# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    odds = 20 / 80
    for day in range(5):
        e = epsilons[day]
        smokers, rest = answers[0][day], answers[1][day]
        odds *= math.exp(-e * abs(smokers - (others + 1))) / math.exp(-e * abs(smokers - others))
        odds *= math.exp(-e * abs(rest - (patients - others - 1)))
        odds /= math.exp(-e * abs(rest - (patients - others)))
    return odds > 1


# %% noise_for_households
def noise_for_households():
    # divide the budget in all ways
    best = None
    for i in range(1, 1000):
        wards = 0.5 * i / 1000
        design = 4 / wards, 36 / (0.5 - wards)
        if best is None or sum(design) < sum(best):
            best = design
    return {"mechanism": "Laplace", "scale_wards": best[0], "scale_kinds": best[1]}
