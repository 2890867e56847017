"""Right: scipy's special functions and root finders."""

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    from scipy.optimize import brentq

    added = int(epsilon / step_epsilon)
    most = delta / step_delta if step_delta > 0 else 1e18
    added = min(added, int(most))
    if delta == 0:
        return added

    def over(k):
        slack = delta - k * step_delta
        return step_epsilon * (k * math.tanh(step_epsilon / 2) + math.sqrt(2 * k * -math.log(slack))) - epsilon

    end = min(most * (1 - 1e-15), (epsilon / step_epsilon) ** 2 + 1)
    advanced = math.floor(end if over(end) <= 0 else brentq(over, 0, end, xtol=1e-12, rtol=1e-15))
    return max(added, advanced)

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    from scipy.special import expit, logsumexp
    from scipy.stats import binom

    n = np.arange(k, -1, -1)
    gap = (2 * n - k) * step_epsilon - epsilon
    n, gap = n[gap > 0], gap[gap > 0]
    if n.size == 0:
        return -np.expm1(k * np.log1p(-step_delta))
    coins = np.exp(logsumexp(binom.logpmf(n, k, expit(step_epsilon)) + np.log(-np.expm1(-gap))))
    return -np.expm1(k * np.log1p(-step_delta) + np.log1p(-coins))

# %% noise_for_year
def noise_for_year():
    from scipy.optimize import brentq
    from scipy.stats import norm

    e, delta, sensitivity = 0.8, 1e-6, 6.0
    mu = brentq(lambda m: norm.cdf(m / 2 - e / m) - math.exp(e) * norm.cdf(-m / 2 - e / m) - delta * (1 - 1e-9), 1e-3, 10)
    sigma = sensitivity / mu
    return {"mechanism": "Gaussian", "sigma": sigma}

# %% guessed_secret
def guessed_secret(answers, kinds, epsilons):
    from scipy.special import expit, log_expit

    odds = 0.0
    for heard, kind, e in zip(answers, kinds, epsilons):
        for bit in heard[: 1 if kind == "kept" else None]:
            sign = 1 if bit else -1
            odds += log_expit(sign * e) - log_expit(-sign * e)
    return expit(odds) > 0.5

# %% witness
def witness(name):
    if name == "ada_three_times":
        return [[1, 0, 0], [0, 0, 0], [23]]
    if name == "until_yes":
        return [[0, 1, 1], [1, 1, 1], [23, 24]]
    if name == "only_news":
        return (np.array([1, 1, 0]), np.array([0, 1, 0]), np.array([21]))
    if name == "one_toss":
        return [[1, 1, 0], [0, 1, 0], [20, 23]]
