"""Right: arrays."""

# %% three_by_hand
def three_by_hand():
    true = np.array([3, 3, 12])
    return np.array([true.prod(), np.prod(true / (true + 1)), 1 / 13])

# %% plan_cost
def plan_cost(plan, replaced):
    if np.isscalar(plan):
        return np.float64(plan)
    come, stay = (np.array([plan_cost(one, how) for one in plan[1:]]) for how in (False, True))
    match plan[0]:
        case "all":
            return (stay if replaced else come).sum()
        case "ranks":
            return stay.sum()
    return max(stay.max(), np.sort(come)[-2:].sum()) if replaced else come.max()

# %% evenings_by_hand
def evenings_by_hand():
    k = np.array([100, 400])
    return 0.3 * (k * np.tanh(0.15) + np.sqrt(12 * k * np.log(10)))

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    from scipy.special import gammaln

    n = np.arange(k + 1.0)
    log_true = -np.log1p(np.exp(-step_epsilon))
    log_false = log_true - step_epsilon
    logs = gammaln(k + 1) - gammaln(n + 1) - gammaln(k - n + 1) + n * log_true + (k - n) * log_false
    gap = (2 * n - k) * step_epsilon - epsilon
    logs, gap = logs[gap > 0], gap[gap > 0]
    coins = float(np.sum(np.exp(logs) * -np.expm1(-gap)))
    return -math.expm1(k * math.log1p(-step_delta) + math.log1p(-coins))

# %% delta_by_hand
def delta_by_hand():
    return (0.53125, 0.328125)

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    evidence = [np.mean(2 * np.array(heard) - 1) * (1 if kind == "kept" else len(heard)) for heard, kind in zip(answers, kinds)]
    return np.dot(evidence, epsilons) > 0

# %% repaired_phone
def repaired_phone(secrets, epsilons, budget, rng):
    spent = 0.0
    answers = []
    for secret, epsilon in zip(secrets, epsilons):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        answer = secret if rng.random() < truth else 1 - secret
        price = float(epsilon)
        if spent + price > budget:
            answer = -1
        else:
            spent = spent + price
        answers.append(answer)
    return answers

# %% test_till
def test_till(till):
    rng = np.random.default_rng(2)
    for _ in range(60):
        budget, asked = rng.integers(16, 512) / 64, rng.integers(1, 128, rng.integers(1, 60)) / 64
        if rng.random() < 0.5:
            asked /= 8
            asked = np.ceil(asked * 64) / 64
        left, said = budget, []
        for epsilon in asked:
            said.append(epsilon <= left)
            left -= epsilon * said[-1]
        np.testing.assert_array_equal(np.array(till(float(budget), asked.tolist()), dtype=bool), said)

# %% noise_for_year
def noise_for_year():
    from scipy.optimize import brentq
    from scipy.stats import norm

    e, delta, sensitivity = 0.8, 1e-6, 6.0
    mu = brentq(lambda m: norm.cdf(m / 2 - e / m) - math.exp(e) * norm.cdf(-m / 2 - e / m) - delta * (1 - 1e-9), 1e-3, 10)
    sigma = sensitivity / mu
    return {"mechanism": "Gaussian", "sigma": 1.005 * sigma}
