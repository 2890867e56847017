"""Right: with classes, and with recursion."""

# %% delta_needed
class Pair:
    """Two laws, and what sticks out of one of them."""

    def __init__(self, p, q):
        self.p, self.q = p, q

    def delta(self, epsilon, i=0):
        if i == len(self.p):
            return 0.0
        a, b = self.p[i], self.q[i]
        loss = -math.inf if a == 0 else math.inf if b == 0 else math.log(a / b)
        share = -math.expm1(epsilon - loss) if loss > epsilon else 1.0 if b == 0 < a else 0.0
        return a * share + self.delta(epsilon, i + 1)


def delta_needed(laws, neighbours, epsilon):
    pairs = [Pair(laws[i], laws[j]) for i, j in neighbours] + [Pair(laws[j], laws[i]) for i, j in neighbours]
    return max(pair.delta(epsilon) for pair in pairs)


# %% test_sticks_out
def test_sticks_out(implementation):
    def right(p, q, epsilon):
        """The worst set, by trying all."""
        best = 0.0
        for mask in range(2 ** len(p)):
            chosen = [i for i in range(len(p)) if mask >> i & 1]
            best = max(best, sum(p[i] for i in chosen) - math.exp(epsilon) * sum(q[i] for i in chosen))
        return best

    laws = [[0.2, 0.0, 0.5, 0.3], [0.0, 0.1, 0.2, 0.7], [0.6, 0.2, 0.2, 0.0], [0.2001, 0.0, 0.5, 0.2999]]
    wrong = [(p, q, e) for p in laws for q in laws for e in (0.0, 0.001, 0.4, 1.2, 3.0, 15.0)
             if abs(implementation(p, q, e) - right(p, q, e)) > 1e-8]
    return not wrong


# %% worst_tail
def worst_tail(p, q, epsilon):
    factor = math.exp(epsilon)

    def bought(rest, slack):
        if not rest:
            return 0.0
        (a, b), *others = rest
        surplus = a - factor * b
        if slack + surplus >= 0:
            return a + bought(others, slack + surplus)
        return a * slack / -surplus

    rest = sorted(((a, b) for a, b in zip(p, q) if a > 0), key=lambda pair: -math.inf if pair[1] == 0 else -pair[0] / pair[1])
    if rest[0][0] <= factor * rest[0][1]:
        return 0.0
    return bought(rest, 0.0)


# %% read_stays
class Guess:
    """A way in which she may have stayed; with each further ward two of them."""

    def __init__(self, stays, left):
        self.stays, self.left = stays, left

    def longer(self, rest, nights):
        return [Guess([*self.stays, bit], [*self.left, rest - bit * nights]) for bit in (0, 1)]

    def spread(self):
        return max(self.left) - min(self.left), np.std(self.left)


def read_stays(answers, others):
    guesses = [Guess([], [])]
    for answer, other, nights in zip(answers, others, [4, 2, 7, 3, 6, 5]):
        guesses = [new for guess in guesses for new in guess.longer(answer - other, nights)]
    return min(guesses, key=lambda guess: guess.spread()[1]).stays


# %% pair_for_family
def pair_for_family(answers, people):
    def walked(e, d, steps):
        if steps == 0 or d == 0:
            return 0.0
        later = walked(e, d, steps - 1)
        return min(1.0, d + (later * math.exp(min(e, 700)) if later else 0.0))

    deltas = [walked(e, d, people) for e, d in answers]
    return [people * sum(e for e, _ in answers), min(1.0, sum(deltas))]
