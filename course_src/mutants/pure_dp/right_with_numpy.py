"""Right: numpy wherever it goes, and numpy's numbers and arrays as answers."""

# %% wheel_by_hand
def wheel_by_hand():
    return np.array([2.286, 0.288, 1.179])


# %% survey
def survey(answers, truth, yes):
    answers = np.asarray(answers, dtype=float)
    return np.array([answers.mean() - yes, answers.std() / np.sqrt(answers.size)]) / truth


# %% least_epsilon
def least_epsilon(laws, neighbours):
    laws = np.asarray(laws, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        i, j = np.array(neighbours).T
        losses = np.log(laws[i]) - np.log(laws[j])
    return np.abs(losses[~np.isnan(losses)]).max()


# %% witness
def witness(name):
    witnesses = {
        "number": ([0], [], [1]),
        "number_and_yeses": (np.array([1]), [], np.array([4, 5, 7, 8])),
        "coin_for_each": ([1, 1], [1], [2]),
        "hardly_ever": ([1, 1, 1], [1, 1], np.array([3])),
    }
    return witnesses.get(name)


# %% sensitivities_by_hand
def sensitivities_by_hand():
    return np.array([12.0, 20.0, 10.0, 20.0])


# %% searched_sensitivity
from itertools import product


def searched_sensitivity(name, values, most, replaced):
    answers = {
        rows: np.atleast_1d(QUESTIONS[name](list(rows)))
        for n in range(most + 1)
        for rows in product(values, repeat=n)
    }
    largest = np.float64(0)
    for rows, answer in answers.items():
        for i in range(len(rows)):
            for middle_part in [(v,) for v in values] if replaced else [()]:
                other = answers[rows[:i] + middle_part + rows[i + 1:]]
                largest = max(largest, np.linalg.norm(answer - other, 1))
    return largest


# %% released_counts
def released_counts(patients, wards, epsilon, replaced, rng):
    counts = np.bincount(patients, minlength=wards)
    return counts + rng.laplace(scale=(1 + bool(replaced)) / epsilon, size=wards)


# %% test_noisy_answer
def test_noisy_answer(implementation):
    rng = np.random.default_rng(3)
    for _ in range(200):
        value = rng.uniform(-20, 20)
        delta, epsilon = rng.uniform(0.1, 10), 10 ** rng.uniform(-2, 1)
        u = rng.uniform(0.001, 0.999)
        noise = np.sign(u - 0.5) * -np.log(1 - 2 * abs(u - 0.5)) * delta / epsilon
        if not np.isclose(implementation(value, delta, epsilon, u), value + noise, 1e-7, 1e-7):
            return False


# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = [0, 0, 0]
    for days in visits:
        used = [0, 0, 0]
        for day in days:
            if np.sum(used) < most:
                used[day] += 1
                counts[day] += 1
    scale = most / epsilon
    return [count + rng.laplace(0.0, scale) for count in counts]


# %% after_answers
def after_answers(before, lines, people):
    epsilon = people * np.sum([one for one, word in lines if word == "fresh"])
    with np.errstate(over="ignore"):
        low = 1 / (1 + (1 - before) / before * np.exp(epsilon))
        high = 1 / (1 + (1 - before) / before * np.exp(-epsilon))
    return np.array([epsilon, low, high])


# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    bits = np.array(answers) - np.array([[others], [patients - others - 1]])
    bits[1] = 1 - bits[1]
    losses = np.array(epsilons) * (np.abs(bits) - np.abs(bits - 1))
    return (losses.sum() > np.log(80 / 20)).astype(int)


# %% noise_for_households
def noise_for_households():
    shares = np.linspace(0.01, 0.99, 9801)
    sums = 1 / shares + 9 / (1 - shares)
    best = shares[np.argmin(sums)]
    scales = 4 / (0.5 * best), 36 / (0.5 * (1 - best))
    return {"mechanism": "Laplace", "scale_wards": scales[0], "scale_kinds": scales[1]}
