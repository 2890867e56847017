"""Right: a class for what is printed, and recursion."""

# %% printed_range
class Printed:
    def __init__(self, text):
        self.mantissa, _, power = text.partition("e")
        self.power = int(power) if power else 0
        self.value = float(text)

    @property
    def half(self):
        places = len(self.mantissa.split(".")[1]) if "." in self.mantissa else 0
        return 5 * 10.0 ** (self.power - places - 1)


def printed_range(text):
    one = Printed(text)
    return [one.value - one.half, one.value + one.half]


# %% stages_at_fault
def stages_at_fault(printed, order, sigma, k, delta):
    pairs = order * (order - 1)
    # each stage backwards: which starts would lead to the print?
    (a, b), (c, d), (e, f) = [printed_range(text) for text in printed]
    number = (math.exp(pairs / 2 / sigma**2) - 1) / pairs

    def root(m):
        return math.expm1(math.log1p(pairs * m) / k) / pairs

    def back(epsilon):
        return math.expm1(epsilon * (order - 1) + math.log(delta)) / pairs

    def miss(p, q, r, s):
        return not (p <= s and r <= q)

    return [miss(number, number, a, b), miss(a, b, root(c), root(d)), miss(c, d, back(e), back(f))]


# %% answers_that_fit
def answers_that_fit(settings, orders, slipped):
    orders_tried = range(2, 301)

    def factor(order, sigma):
        x = order * (order - 1) / 2 / sigma**2
        return float(np.logaddexp(0, x - 1)) if slipped else x

    def best(k, sigma, delta):
        return min(orders_tried, key=lambda a: (k * table[a, sigma] - math.log(delta)) / (a - 1))

    table = {(a, s): factor(a, s) for a in orders_tried for s, _ in settings}

    def bound(wanted, strict, low, high):
        """The first k from low on whose best order is at most (below) the wanted one."""
        if low == high:
            return low
        middle = (low + high) // 2
        order = best(middle, sigma, delta)
        if order < wanted or (order == wanted and not strict):
            return bound(wanted, strict, low, middle)
        return bound(wanted, strict, middle + 1, high)

    first, last = 1, 1000
    for (sigma, delta), order in zip(settings, orders):
        first = max(first, bound(order, False, 1, 1001))
        last = min(last, bound(order, True, 1, 1001) - 1)
    return [first, last] if first <= last else []


# %% witness
def witness(name):
    laws = {
        "one_draw": ((0, 0), (0, 1), (FIRST + 3, FIRST)),
        "one_order": ((0, 1), (1, 1), (FIRST + 5,)),
        "masked_bit": ((1, 0), (0, 0), (FIRST + 3, FIRST + 4)),
        "clear_text": ((1, 0), (0, 0), (FIRST + 1,)),
    }
    return [list(part) for part in laws[name]] if name in laws else None
