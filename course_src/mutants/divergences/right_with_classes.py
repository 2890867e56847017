"""Right: classes and recursion."""

# %% best_bet
class Answer:
    def __init__(self, place, worth_in, worth_out):
        self.place, self.worth_in, self.worth_out = place, worth_in, worth_out

    @property
    def is_in(self):
        return self.worth_in > self.worth_out


def best_bet(p, q, before):
    answers = [Answer(i, before * x, (1 - before) * y) for i, (x, y) in enumerate(zip(p, q))]
    right = (1 - before) + sum(a.worth_in - a.worth_out for a in answers if a.is_in)
    return [right, [a.place for a in answers if a.is_in]]


# %% bent_mean
class Bent:
    """f as a line and hockey sticks."""

    def __init__(self, corners, slope):
        self.slopes = [(d - b) / (c - a) for (a, b), (c, d) in zip(corners, corners[1:])] + [slope]
        self.corners = corners

    def persp(self, x, y):
        """y f(x / y), which is x times the last slope for y = 0."""
        total = self.corners[0][1] * y + self.slopes[0] * x
        for (a, _), before, after in zip(self.corners[1:], self.slopes, self.slopes[1:]):
            total += (after - before) * max(0.0, x - a * y)
        return total


def bent_mean(corners, slope, p, q):
    f = Bent(corners, slope)
    return sum(map(f.persp, p, q))


# %% fewest_words
class Words(list):
    def number(self, factor):
        for i, other in enumerate(self):
            if factor == other or abs(factor - other) < 1e-7 * min(factor, other):
                return i
        self.append(factor)
        return len(self) - 1


def fewest_words(p, q):
    words = Words()
    return [-1 if x + y == 0 else words.number(x / y if y else math.inf) for x, y in zip(p, q)]


# %% most_telling
def most_telling(q, epsilon):
    low, high = math.exp(-epsilon), math.exp(epsilon)

    def loss_of(x, y):
        return x * math.log(x / y) if y else 0.0

    def best(answers, extra, used):
        """With some mass to give away beyond the lowest factors; used: one lies between."""
        if not answers:
            return 0.0 if abs(extra) < 1e-11 else -math.inf
        y, *rest = answers
        room = (high - low) * y
        found = [loss_of(low * y, y) + best(rest, extra, used)]
        if extra >= room - 1e-13:
            found.append(loss_of(high * y, y) + best(rest, extra - room, used))
        return max(found)

    def between(i):
        rest = q[:i] + q[i + 1:]
        result = 0.0
        for bits in range(1 << len(rest)):
            up = sum(y for k, y in enumerate(rest) if bits >> k & 1)
            x = 1 - high * up - low * (sum(rest) - up)
            if low * q[i] - 1e-13 <= x <= high * q[i] + 1e-13 and q[i]:
                value = sum(loss_of((high if bits >> k & 1 else low) * y, y) for k, y in enumerate(rest))
                result = max(result, value + loss_of(x, q[i]))
        return result

    return max(0.0, best([y for y in q if y], 1 - low, False), *map(between, range(len(q))))


# %% is_in
class Law:
    def __init__(self, masses, papers):
        self.masses, self.papers = masses, papers

    def of(self, words):
        return sum(mass * self.given(y, words) for y, mass in enumerate(self.masses))

    def given(self, y, words, i=0):
        return 1.0 if i == 3 else self.papers[i][y][words[i]] * self.given(y, words, i + 1)


def is_in(evenings, p, q, papers):
    one, other = Law(p, papers), Law(q, papers)
    factor = 1.0
    for words in evenings:
        if other.of(words) == 0:
            return 1
        factor *= one.of(words) / other.of(words)
    return int(factor > 1)
