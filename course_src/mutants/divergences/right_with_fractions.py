"""Right: exact fractions, decimals and recursion; fractions are handed in as they are."""

# %% drawn_loss
def drawn_loss(p, q, rng):
    answers = range(len(p))
    drawn = rng.choice(answers, p=p)
    other = rng.choice(answers, p=q)
    # the same answer in both laws
    loss = math.log(p[drawn]) - math.log(q[drawn])
    return round(1000 * loss)


# %% disasters
def disasters(mean, loss):
    def kl(r):
        if r == 1:
            return loss
        return r * loss + (1 - r) * math.log((1 - r) / (1 - r * math.exp(-loss)))

    def halved(low, high, steps):
        middle = (low + high) / 2
        if steps == 0:
            return low
        ends = (middle, high) if kl(middle) <= mean else (low, middle)
        return halved(*ends, steps - 1)

    return 1 if kl(1) <= mean else halved(0, 1, 120)


# %% best_bet
from fractions import Fraction


def best_bet(p, q, before):
    chance = Fraction(before)
    pairs = [(chance * Fraction(x), (1 - chance) * Fraction(y)) for x, y in zip(p, q)]
    return [sum(map(max, pairs)), [place for place, (x, y) in enumerate(pairs) if x > y]]


# %% bent_mean
from fractions import Fraction


def bent_mean(corners, slope, p, q):
    def f(u, rest):
        a, b = map(Fraction, rest[0])
        if len(rest) == 1:
            return b + Fraction(slope) * (u - a)
        c, d = map(Fraction, rest[1])
        return f(u, rest[1:]) if u > c else b + (d - b) * (u - a) / (c - a)

    def term(x, y):
        return x * Fraction(slope) if y == 0 else y * f(x / y, corners)

    return sum(term(Fraction(x), Fraction(y)) for x, y in zip(p, q))


# %% alpha_divergence
from decimal import Decimal, localcontext


def alpha_divergence(p, q, order):
    with localcontext() as context:
        context.prec = 60
        a = Decimal(order)

        def f(u):
            if a == 1:
                return u * u.ln() - u + 1
            if a == 0:
                return u - 1 - u.ln()
            return ((a * u.ln()).exp() - a * u + a - 1) / (a * (a - 1))

        def term(x, y):
            if x == y == 0:
                return Decimal(0)
            if y == 0:
                return x / (1 - a) if a < 1 else Decimal("inf")
            if x == 0:
                return y / a if a > 0 else Decimal("inf")
            return y * f(x / y)

        return sum(term(Decimal(x), Decimal(y)) for x, y in zip(p, q))


# %% fewest_words
from fractions import Fraction


def fewest_words(p, q):
    def same(one, other):
        x = Fraction(one[0]) * Fraction(other[1])
        y = Fraction(one[1]) * Fraction(other[0])
        return abs(x - y) * 1000 <= max(x, y)

    def numbers(pairs, words):
        if not pairs:
            return []
        first, rest = pairs[0], pairs[1:]
        if first == (0, 0):
            return [-1, *numbers(rest, words)]
        for number, word in enumerate(words):
            if same(first, word):
                return [number, *numbers(rest, words)]
        return [len(words), *numbers(rest, [*words, first])]

    return numbers(list(zip(p, q)), [])


# %% test_distance
import random
from fractions import Fraction


def test_distance(distance):
    dice = random.Random(1)

    def asked(p, q):
        return distance(list(map(float, p)), list(map(float, q)))

    def law(size, zeros):
        weights = [0 if dice.random() < zeros else dice.randint(1, 20) for _ in range(size)]
        if not any(weights):
            return law(size, zeros)
        return [Fraction(weight, sum(weights)) for weight in weights]

    def merged(law, i, j):
        return [x + (law[j] if k == i else 0) for k, x in enumerate(law) if k != j]

    def divided(law, i, share):
        return [*law[:i], law[i] * share, law[i] * (1 - share), *law[i + 1:]]

    def by_lot(law, rows):
        return [sum(x * row[z] for x, row in zip(law, rows)) for z in range(3)]

    for trial in range(80):
        size = 2 + trial % 3
        p, q = (law(size, 0.3 * (trial % 2)) for _ in range(2))
        before = asked(p, q)
        assert before >= -1e-7 and abs(asked(p, p)) <= 1e-7
        i, j = dice.sample(range(size), 2)
        share = Fraction(dice.randint(1, 9), 10)
        order = dice.sample(range(size), size)
        rows = [law(3, 0.3) for _ in range(size)]
        for after in (
            asked(merged(p, i, j), merged(q, i, j)),
            asked(divided(p, i, share), divided(q, i, share)),
            asked([p[k] for k in order], [q[k] for k in order]),
            asked(by_lot(p, rows), by_lot(q, rows)),
        ):
            assert after <= before or after - before <= 1e-7 * max(1, before)


# %% is_in
from fractions import Fraction


def is_in(evenings, p, q, papers):
    def chance(law, words):
        return sum(
            Fraction(mass) * math.prod(Fraction(paper[y][word]) for paper, word in zip(papers, words))
            for y, mass in enumerate(law)
        )

    with_her, without = (math.prod(chance(law, words) for words in evenings) for law in (p, q))
    return 1 if with_her > without else 0


# %% most_telling
from fractions import Fraction


def most_telling(q, epsilon):
    law = [Fraction(y) for y in q if y > 0]
    law = [y / sum(law) for y in law]
    high = Fraction(math.exp(epsilon))
    ends = (1 / high, high)

    def choices(number):
        if number == 0:
            return [[]]
        return [[u, *rest] for u in ends for rest in choices(number - 1)]

    def means(i):
        others = law[:i] + law[i + 1:]
        for factors in choices(len(others)):
            u = (1 - sum(w * f for f, w in zip(factors, others))) / law[i]
            if ends[0] <= u <= ends[1]:
                every = zip([*factors, u], [*others, law[i]])
                yield sum(float(w * f) * math.log(f) for f, w in every)

    return max(mean for i in range(len(law)) for mean in means(i))
