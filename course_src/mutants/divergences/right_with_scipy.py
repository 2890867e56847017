"""Right: solvers and special functions."""

# %% desk_by_hand
def desk_by_hand():
    return [1.253, 0.251, 0.414, 0.3, 0.15]


# %% bounds_by_hand
def bounds_by_hand():
    return (0.525, 0.6, 0.774)


# %% disasters
from scipy.optimize import brentq
from scipy.special import rel_entr


def disasters(mean, loss):
    if mean >= loss:
        return 1

    def excess(log_r):
        r = math.exp(log_r)
        return (r * loss + (1 - r) * (np.log1p(-r) - np.log1p(-r * np.exp(-loss)))) / mean - 1

    return math.exp(brentq(excess, math.log(mean / loss) - 1e-9, -1e-15, xtol=1e-14) - 1e-5)


# %% alpha_divergence
from scipy.special import exprel


def alpha_divergence(p, q, order):
    def above(p, q, order):
        total = 0.0
        for x, y in zip(p, q):
            if x > 0 and y > 0:
                loss = math.log(x) - math.log(y)
                total += x * loss * exprel((order - 1) * loss)
            elif x > 0:
                total += x / (1 - order) if order < 1 else math.inf
        return total / order

    return above(p, q, order) if order >= 0.5 else above(q, p, 1 - order)


# %% most_telling
def most_telling(q, epsilon):
    from functools import lru_cache

    q = [y for y in q if y > 0]
    ends = (math.exp(-epsilon), math.exp(epsilon))

    def gain(f, y):
        return f * y * math.log(f)

    @lru_cache(None)
    def best(i, left, free):
        """From answer i on, with so much mass left, and one factor still free."""
        if i == len(q):
            return 0.0 if abs(left) < 1e-11 else -math.inf
        found = max(gain(f, q[i]) + best(i + 1, left - f * q[i], free) for f in ends)
        if free:
            found = max(found, middle(i, left))
        return found

    def middle(i, left):
        found = -math.inf
        for bits in range(2 ** (len(q) - i - 1)):
            factors = [ends[bits >> k & 1] for k in range(len(q) - i - 1)]
            f = (left - sum(a * b for a, b in zip(factors, q[i + 1:]))) / q[i]
            if ends[0] - 1e-12 <= f <= ends[1] + 1e-12:
                found = max(found, gain(f, q[i]) + sum(gain(a, b) for a, b in zip(factors, q[i + 1:])))
        return found

    return max(best(0, 1.0, True), 0.0)
