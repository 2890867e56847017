"""Right: scipy, logarithms of everything, and helpers in the cells."""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.2857, 0.2874, 1.1787]


# %% survey
from scipy import stats


def survey(answers, truth, yes):
    estimate = (np.mean(answers) - yes) / truth
    return [estimate, stats.sem(answers, ddof=0) / truth]


# %% least_epsilon
from scipy.special import xlogy


def largest_loss(p, q):
    """The logarithm of the largest p / q, where p > 0."""
    return max(
        (math.inf if b == 0 else xlogy(1, a) - xlogy(1, b) for a, b in zip(p, q) if a > 0),
    )


def least_epsilon(laws, neighbours):
    pairs = [(laws[i], laws[j]) for i, j in neighbours]
    return max(max(largest_loss(p, q), largest_loss(q, p)) for p, q in pairs)


# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    wrong = {"number_and_yeses": [4, 5, 7, 8], "coin_for_each": [1], "hardly_ever": [1]}
    return [[1], [], wrong[name]] if name in wrong else None


# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [max(8, 12), 8 + 12, 5 + 5, 4 * 5]


# %% searched_sensitivity
import itertools

from scipy.spatial.distance import cityblock


def searched_sensitivity(name, values, most, replaced):
    def answer(rows):
        return np.atleast_1d(QUESTIONS[name](list(rows)))

    def pairs():
        for n in range(most):
            for rows in itertools.product(values, repeat=n):
                for i in range(n + 1):
                    added = [rows[:i] + (value,) + rows[i:] for value in values]
                    # two that come from one by adding a row at a place differ in that row
                    yield from itertools.combinations(added, 2) if replaced else (
                        (rows, other) for other in added
                    )

    return max((cityblock(answer(a), answer(b)) for a, b in pairs()), default=0)


# %% released_counts
def released_counts(patients, wards, epsilon, replaced, rng):
    noise = stats.laplace(scale={True: 2, False: 1}[replaced] / epsilon)
    counts = [sum(patient == ward for patient in patients) for ward in range(wards)]
    return [count + noise.rvs(random_state=rng) for count in counts]


# %% test_noisy_answer
def test_noisy_answer(implementation):
    for value, delta, epsilon, u in itertools.product(
        [-7.25, 0, 3], [0.5, 1, 4.5], [0.05, 1, 8], [0.001, 0.2, 0.6, 0.999]
    ):
        right = stats.laplace.ppf(u, loc=value, scale=delta / epsilon)
        np.testing.assert_allclose(
            implementation(value, delta, epsilon, u), right, rtol=1e-7, atol=1e-7
        )


# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = [0, 0, 0]
    for days in visits:
        used = [0, 0, 0]
        for day in days:
            if used[0] + used[1] + used[2] < most:
                used[day] += 1
                counts[day] += 1
    scale = most / epsilon
    return [count + rng.laplace(0.0, scale) for count in counts]


# %% after_answers
from scipy.special import expit, logit


def after_answers(before, lines, people):
    epsilon = people * math.fsum(one for one, word in lines if word == "fresh")
    return [epsilon, expit(logit(before) - epsilon), expit(logit(before) + epsilon)]


# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    def loglikelihood(smokes):
        total = math.log(0.2 if smokes else 0.8)
        for x, y, e in zip(*answers, epsilons):
            total += stats_log(x, others + smokes, e) + stats_log(y, patients - others - smokes, e)
        return total

    def stats_log(x, loc, e):
        return math.log(e / 2) - e * abs(x - loc)

    return 1 if loglikelihood(1) > loglikelihood(0) else 0


# %% noise_for_households
from scipy.optimize import minimize_scalar


def noise_for_households():
    def scales(share):
        return 4 / (0.5 * share), 36 / (0.5 * (1 - share))

    best = minimize_scalar(lambda share: sum(scales(share)), bounds=(0.01, 0.99), method="bounded").x
    wards, kinds = scales(best)
    return {"mechanism": "Laplace", "scale_wards": float(wards), "scale_kinds": float(kinds)}
