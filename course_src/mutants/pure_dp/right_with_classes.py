"""Right: classes and recursion."""

# %% survey
class Wheel:
    def __init__(self, truth, yes):
        self.truth, self.yes = truth, yes

    def turned_back(self, share_of_yeses):
        return (share_of_yeses - self.yes) / self.truth


def survey(answers, truth, yes):
    y = statistics.fmean(answers)
    error = statistics.pstdev(answers) / len(answers) ** 0.5
    return [Wheel(truth, yes).turned_back(y), error / truth]


# %% least_epsilon
def least_epsilon(laws, neighbours):
    if not neighbours:
        return 0.0
    (i, j), *rest = neighbours
    both = [max(a, b) / min(a, b) if min(a, b) > 0 else math.inf
            for a, b in zip(laws[i], laws[j]) if max(a, b) > 0]
    return max(math.log(max(both)), least_epsilon(laws, rest))


# %% witness
class Witness:
    def __init__(self, *event):
        self.event = list(event)

    def of_one_patient(self):
        return [[1], [], self.event]


def witness(name):
    if name == "number":
        return [[0], [], [1]]
    found = {
        "coin_for_each": Witness(1, 2, 3),
        "hardly_ever": Witness(1, 2),
        "number_and_yeses": Witness(4, 5, 7, 8),
    }
    return found[name].of_one_patient() if name in found else None


# %% searched_sensitivity
def tables_of(values, most):
    if most == 0:
        return [[]]
    shorter = tables_of(values, most - 1)
    longest = [table for table in shorter if len(table) == most - 1]
    return shorter + [[value, *table] for value in values for table in longest]


def searched_sensitivity(name, values, most, replaced):
    everyone = tables_of(values, most)

    def near(a, b):
        if replaced:
            return len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1
        return any(a[:i] + a[i + 1:] == b for i in range(len(a)))

    changes_found = [0.0]
    for a in everyone:
        for b in everyone:
            if near(a, b):
                change = np.subtract(QUESTIONS[name](a), QUESTIONS[name](b))
                changes_found.append(float(np.sum(np.abs(change))))
    return max(changes_found)


# %% released_counts
class Desk:
    def __init__(self, scale, rng):
        self.scale, self.rng = scale, rng

    def answer(self, count):
        # a Laplace number is an exponential one with a sign
        sign = 1 if self.rng.random() < 0.5 else -1
        return count + sign * self.rng.exponential(self.scale)


def released_counts(patients, wards, epsilon, replaced, rng):
    desk = Desk((2.0 if replaced else 1.0) / epsilon, rng)
    return tuple(desk.answer(patients.count(ward)) for ward in range(wards))


# %% after_answers
def after_answers(before, lines, people):
    def spent(lines):
        if not lines:
            return 0
        (epsilon, word), *rest = lines
        return epsilon * (word == "fresh") + spent(rest)

    def moved(epsilon):
        if epsilon > 0:
            return 1 - before + before * math.exp(-epsilon), math.exp(-epsilon)
        return 1, 1

    epsilon = people * spent(lines)
    total, small = moved(epsilon)
    return [epsilon, before * small / total, before / (before + (1 - before) * small)]


# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    def odds(left, odds_before):
        if not left:
            return odds_before
        (y, with_her, without, e), *rest = left
        return odds(rest, odds_before * math.exp(e * (abs(y - without) - abs(y - with_her))))

    left = [(x, others + 1, others, e) for x, e in zip(answers[0], epsilons)]
    rest = patients - others
    left += [(y, rest - 1, rest, e) for y, e in zip(answers[1], epsilons)]
    return 1.0 if odds(left, 1 / 4) > 1 else 0.0
