r"""Tests of whether a sample has a distribution, with a proved false-alarm probability.

Answers are turned into ranks (`laws`): numbers u that are independent and uniform on [0, 1] exactly
when the distribution is right. Each test below has a share a of the false-alarm probability of a
case, and fails a right sample with probability at most a, for every n:

``support`` (categories)
    An answer of probability 0. Share 0.
``law``
    The largest distance between the empirical distribution of u and the uniform one. By the
    inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990) it exceeds
    :math:`\sqrt{\log(2/a)/(2n)}` with probability at most a.
``centre``, ``width``
    The means of u and of ``|2u - 1|``, which is uniform too. A uniform number U has
    :math:`E e^{s(U - 1/2)} = \sinh(s/2)/(s/2) \le e^{s^2/24}`, because :math:`(2k+1)! \ge 6^k k!`
    term by term; so by Chernoff's bound a mean of n of them is t or more from 1/2 with probability
    at most :math:`2 e^{-6nt^2}`. These see small shifts and scalings that ``law`` does not.
``coordinates``, ``calls``
    Differences and sums, modulo 1, of the u of two coordinates of one call, or of one coordinate
    in two calls, a fixed lag apart. For independent uniform u those of one lag are again
    independent and uniform: each takes in one u that the ones before did not have. Differences of
    lag 1 have the test of ``law``, all others that of ``width``, and all share a equally.
``low tail``, ``high tail``
    How many u lie below tau, and above 1 - tau, for three tau. By Chernoff's bound a binomial
    count is as far as c on one side of its mean with probability at most exp(-n kl(c/n, tau)), kl
    the Kullback-Leibler divergence of two coins.
``atoms`` (discrete laws)
    How often each answer comes that is expected often, and how often all the others; by the same
    bound, with a shared equally among these counts.
``matches`` (discrete laws)
    How often the noise of two coordinates of one call, or of one coordinate in two calls, is
    equal, in disjoint pairs. The bound holds for a sum of independent counts of different
    probabilities too, with their mean (Hoeffding, 1963, theorem 1).
``repeats`` (continuous laws)
    Equal numbers, as rounding and clipping make them. A floating-point answer has a probability
    of at most p = 4 (2 + abs(loc)/scale) 2^-52 for a noise density g with g(z) and abs(z) g(z) at
    most 4, since the spacing of floats at x is at most 2^-52 abs(x). If k answers repeat an
    earlier one, k pairs without a cycle coincide, which for given pairs has probability at most
    p^k; there are at most N^k/k! such sets among N pairs, so (N p)^k/k! bounds the probability.

The false-alarm probability of a case is divided equally among the tests that its kind of law has,
and one in a thousand of it is left for the rounding of floats and the ends of tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from dpteach.grading.core.plain import shown
from dpteach.grading.kinds.random.laws import Discrete, Floats, Integers, Law, LawData, read

#: the tests of a case that have a share of its false-alarm probability, by the kind of its law
CONTINUOUS_TESTS: Final = (
    *("law", "centre", "width", "coordinates", "calls", "low tail", "high tail", "repeats"),
)
INTEGER_TESTS: Final = (*CONTINUOUS_TESTS[:-1], "atoms", "matches")
CATEGORY_TESTS: Final = ("law", "coordinates", "calls", "atoms", "matches")
_TESTS: Final = {
    "continuous": CONTINUOUS_TESTS,
    "integers": INTEGER_TESTS,
    "categories": CATEGORY_TESTS,
}

#: the share of the false-alarm probability that the tests use
USED: Final = 0.999

#: expected numbers of draws in the tails that are counted: the first is the least that can show
#: at 1e-11 that a tail is missing, since a tail with none of c expected has probability e^-c
TAIL_COUNTS: Final = (30, 120, 480)

#: the longest lags at which coordinates, and calls, are compared
COORDINATE_LAGS: Final = 6
CALL_LAGS: Final = 3

#: an answer of a discrete law is counted on its own if so many are expected; at most so many are
ATOM_COUNT: Final = 20
MOST_ATOMS: Final = 400

#: a mistaken law is named as the likely one if the sample passes its test at this level
NAMED_AT: Final = 1e-6


@dataclass(frozen=True)
class Finding:
    """The first test that a sample fails.

    Attributes
    ----------
    test
        Its name.
    words
        In which direction, without a number of the case or the answers.
    detail
        With numbers, for visible cases; or "".
    """

    test: str
    words: str
    detail: str = ""


def shares_of(law: LawData) -> tuple[str, ...]:
    """Return the tests that share the false-alarm probability of a case with this law.

    Examples
    --------
    >>> from dpteach.grading import Categorical, Law
    >>> len(shares_of(Law("norm").to_data()))
    8
    >>> len(shares_of(Categorical([0, 1], [0.5, 0.5]).to_data()))
    5
    """
    return _TESTS[law["kind"]]


def distance_threshold(n: int, false_alarm: float) -> float:
    """Return the distance that n uniform numbers exceed with at most this probability.

    Examples
    --------
    >>> round(distance_threshold(50_000, 1e-9), 5)
    0.01463
    """
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def uniform_distance(u: ArrayLike) -> float:
    """Return the Kolmogorov-Smirnov distance of a sample from the uniform law on [0, 1].

    Examples
    --------
    >>> uniform_distance([0.25, 0.75])
    0.25
    """
    ordered = np.sort(np.asarray(u, dtype=np.float64).ravel())
    n = ordered.size
    ordered -= np.arange(n) / n
    return float(max(1 / n - np.min(ordered), np.max(ordered)))


def mean_threshold(n: int, false_alarm: float) -> float:
    """Return how far from 1/2 the mean of n uniform numbers is with at most this probability.

    Examples
    --------
    >>> round(mean_threshold(50_000, 1e-9), 5)
    0.00845
    """
    return math.sqrt(math.log(2 / false_alarm) / (6 * n))


def unlikely(count: float, n: int, p: float, false_alarm: float) -> bool:
    """Whether a count of n independent events, of probability p on average, is too far from n p.

    True with probability at most `false_alarm`, half of it on each side.

    Examples
    --------
    >>> unlikely(0, 1000, 0.03, 1e-9), unlikely(0, 1000, 0.01, 1e-9)
    (True, False)
    """
    if p <= 0 or p >= 1:
        return count != n * p
    return n * divergence_of_coins(count / n, p) > math.log(2 / false_alarm)


def divergence_of_coins(x: float, y: float) -> float:
    """Return the Kullback-Leibler divergence of a coin x in [0, 1] from a coin y in (0, 1).

    >>> divergence_of_coins(1.0, 0.5)
    0.6931471805599453
    """
    heads = x * math.log(x / y) if x > 0 else 0.0
    tails = (1 - x) * math.log((1 - x) / (1 - y)) if x < 1 else 0.0
    return heads + tails


def findings(values: Any, law: LawData, false_alarm: float, *, seed: int = 0) -> Finding | None:
    """Return the first test that answers of independent calls fail, or None.

    Parameters
    ----------
    values
        The answers, one a call, in the law's shape: finite numbers for a continuous law,
        integers (of Python, of any size) for an integer one, atoms for a categorical one.
    law
        The law as data (`to_data`), not shared.
    false_alarm
        The probability with which right answers may be failed, in (0, 1).
    seed
        For the grader's own V in the ranks of discrete laws.

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> law, wide = Law("norm", loc=[0.0, 5.0]), Law("norm", loc=[0.0, 5.0], scale=2.0)
    >>> sample = law.draw(5000, np.random.default_rng(0))
    >>> findings(sample, law.to_data(), 1e-9) is None
    True
    >>> findings(sample, wide.to_data(), 1e-9).words
    'the noise is too narrow'
    """
    found = read(law)
    level = USED * false_alarm / len(shares_of(law))
    if isinstance(found, Law):
        # answers next to the largest float are as far away as infinity
        with np.errstate(over="ignore", invalid="ignore"):
            return next(_continuous(np.asarray(values, dtype=np.float64), found, level), None)
    columns = found.columns(flat(values, len(found.shape)))
    return next(_discrete(columns, found, level, _own(seed)), None)


def _own(seed: int) -> np.random.Generator:
    """Return the grader's own generator: a bare seed is what the mechanism may have been given."""
    return np.random.default_rng([seed, 0x5EED])


def flat(values: Any, depth: int) -> Any:
    """Return the leaves of nested lists, of which the first level is the calls."""
    for _ in range(depth):
        values = [entry for row in values for entry in row]
    return values


def _continuous(answers: Floats, law: Law, level: float) -> Iterator[Finding]:
    noise = law.noise(answers)
    u = law.ranks(noise)
    repeats = _repeats(answers, law, level)
    for finding in _shape(u, level):
        if finding.test == "law" and repeats:
            finding = repeats  # says more
        width = law.standard.ppf(0.75) - law.standard.ppf(0.25)
        if np.ptp(np.quantile(noise, [0.25, 0.75])) < 1e-6 * width:
            finding = Finding("law", "there is no noise: every call answers (almost) the same")
        yield finding
    yield from _dependence(u, level)
    yield from _tails(u, level)
    if repeats:
        yield repeats


def _repeats(answers: Floats, law: Law, level: float) -> Finding | None:
    columns = answers.reshape(len(answers), -1)
    repeated = int(np.count_nonzero(np.diff(np.sort(columns, axis=0), axis=0) == 0))
    if repeated <= allowed_repeats(len(columns), law, level):
        return None
    return Finding(
        "repeats",
        "answers repeat exactly, which continuous noise does not",
        f"{repeated} of {columns.size} numbers equal an earlier one",
    )


def _discrete(
    columns: Integers, law: Discrete, level: float, rng: np.random.Generator
) -> Iterator[Finding]:
    width = law.masses.shape[1]
    below, above = columns < 0, columns >= width
    if law.start is None and np.any(below | (law.masses[law.row, np.maximum(columns, 0)] == 0)):
        yield Finding("support", "some answers are none that this mechanism ever gives")
    # beyond the table of an integer law there is next to nothing
    for test, outside in (("low tail", below), ("high tail", above)):
        if np.any(outside):
            yield Finding(test, "far too many answers are far from the true value")
    u = law.ranks(columns, rng)
    if law.start is not None:
        for finding in _shape(u, level):
            if np.all(columns == columns[:1]):
                finding = Finding("law", "there is no noise: every call answers the same")
            yield finding
        yield from _tails(u, level)
        yield from _atoms(columns, law, level)
    else:
        yield from _atoms(columns, law, level)
        if _far(u, level):
            yield Finding("law", "some answers come too often, others too rarely")
    yield from _matches(columns, law, level)
    yield from _dependence(u, level)


def _far(u: Floats, level: float) -> bool:
    return uniform_distance(u) > distance_threshold(u.size, level)


def _off(u: Floats, level: float) -> float:
    """Return by how many thresholds the mean of u is above 1/2 (or below, if negative)."""
    return (float(np.mean(u)) - 0.5) / mean_threshold(u.size, level)


def _folded(u: Floats) -> Floats:
    return np.abs(2 * u - 1)


def _looks_uniform(u: Floats, level: float) -> bool:
    return not _far(u, level) and abs(_off(u, level)) <= 1 and abs(_off(_folded(u), level)) <= 1


def _shape(u: Floats, level: float) -> Iterator[Finding]:
    """``law``, ``centre`` and ``width``, the one that says the most first."""
    shift, spread = _off(u, level), _off(_folded(u), level)
    words = "the noise is too wide" if spread > 0 else "the noise is too narrow"
    width = Finding("width", words)
    centre = Finding(
        "centre",
        "the noise is not centred on the true value: the answers are too "
        + ("large" if shift > 0 else "small"),
    )
    ordered = [(abs(spread), width), (abs(shift), centre)]
    ordered.sort(key=lambda pair: -pair[0])
    yield from (finding for off, finding in ordered if off > 1)
    if _far(u, level):
        yield Finding("law", "the noise has about the right width, but another law")


def _dependence(u: Floats, level: float) -> Iterator[Finding]:
    """``coordinates`` and ``calls``."""
    for test, words, ranks, most in (
        ("coordinates", "the noise of one coordinate tells that of another", u.T, COORDINATE_LAGS),
        ("calls", "the noise of one call tells that of a later one", u, CALL_LAGS),
    ):
        lags = min(len(ranks) - 1, most)
        if lags < 1:
            continue
        share = level / (2 * lags)
        ranks = np.ascontiguousarray(ranks)
        for lag in range(1, lags + 1):
            later, earlier = ranks[lag:], ranks[:-lag]
            turned = later - earlier
            if lag == 1:
                off = _far(turned - np.floor(turned), share)
            else:
                off = abs(_turned_mean(turned) - 0.5) > mean_threshold(turned.size, share)
            turned = np.add(later, earlier, out=turned)
            if off or abs(_turned_mean(turned) - 0.5) > mean_threshold(turned.size, share):
                yield Finding(test, words)


def _turned_mean(x: Floats) -> float:
    """Return the mean of abs(2 (x mod 1) - 1), for x in [-1, 2], which it overwrites.

    On [-1, 1] both sides are abs(1 - 2 abs(x)), on [0, 2] both are symmetric around 1.
    """
    np.abs(x, out=x)
    x -= 1.0
    np.abs(x, out=x)
    x -= 0.5
    np.abs(x, out=x)
    return 2 * float(x.mean())


def _tails(u: Floats, level: float) -> Iterator[Finding]:
    """``low tail`` and ``high tail``."""
    n = u.size
    for test, ranks in (("low tail", u), ("high tail", 1 - u)):
        for expected in TAIL_COUNTS:
            tau = min(expected / n, 0.5)
            count = int(np.count_nonzero(ranks < tau))
            if unlikely(count, n, tau, level / len(TAIL_COUNTS)):
                word = "few" if count < n * tau else "many"
                yield Finding(
                    test,
                    f"far too {word} answers are far from the true value",
                    f"{count} of {n} numbers where about {n * tau:.0f} are expected",
                )


def _atoms(columns: Integers, law: Discrete, level: float) -> Iterator[Finding]:
    """``atoms``: the largest departure of all, so that the words are about the worst answer."""
    tables = []
    for r, masses in enumerate(law.masses):
        mine = columns[:, law.row == r]
        often = np.argsort(-masses, kind="stable")[:MOST_ATOMS]
        often = often[(mine.size * masses[often] >= ATOM_COUNT) & (masses[often] < 1)]
        tables.append((r, mine, often))
    tests = sum(len(often) + 1 for _, _, often in tables)
    worst: tuple[float, Finding] | None = None
    for r, mine, often in tables:
        counts = np.bincount(mine.ravel(), minlength=law.masses.shape[1])
        n, p, count = mine.size, law.masses[r][often], counts[often]
        # next to nothing may be left of 1 by rounding alone
        rest = max(1e-9, 1.0 - float(p.sum()))
        pairs = [*zip(often.tolist(), count.tolist(), p.tolist(), strict=True)]
        pairs.append((-1, int(n - count.sum()), rest))
        for column, seen, mass in pairs:
            if unlikely(seen, n, mass, level / tests):
                by = n * divergence_of_coins(seen / n, mass)
                if worst is None or by > worst[0]:
                    worst = by, _atom_finding(law, column, seen, n, mass)
    if worst is not None:
        yield worst[1]


def _atom_finding(law: Discrete, column: int, seen: int, n: int, mass: float) -> Finding:
    word = "often" if seen > n * mass else "rarely"
    if column < 0:
        which = "a rare answer"
    elif law.start is None:
        which = f"the answer {shown(law.atoms[column])}"
    else:
        bare = bool(np.all(law.start == law.first))
        which = f"the {'answer' if bare else 'noise'} {column + law.first}"
    return Finding(
        "atoms",
        f"one of the answers comes too {word}",
        f"{which}: {seen} of {n}, where about {n * mass:.0f} are expected",
    )


def _matches(columns: Integers, law: Discrete, level: float) -> Iterator[Finding]:
    """``matches``: disjoint pairs of coordinates and of calls, from the first or the second on."""
    share = level / 4
    tables = law.masses
    pairs = tables @ tables.T
    for which, rows in (("coordinates", columns.T), ("calls", columns)):
        for begin in (0, 1):
            size = (len(rows) - begin) // 2
            if size < 1:
                continue
            first = rows[begin : begin + 2 * size : 2]
            second = rows[begin + 1 : begin + 2 * size : 2]
            count = int(np.count_nonzero(first == second))
            if which == "calls":
                mean = float(np.mean(pairs[law.row, law.row]))
            else:
                one, other = law.row[begin : begin + 2 * size : 2], law.row[begin + 1 :: 2][:size]
                mean = float(np.mean(pairs[one, other]))
            if unlikely(count, first.size, mean, share):
                word = "coordinate" if which == "coordinates" else "call"
                then = "another" if which == "coordinates" else "the next"
                yield Finding(which, f"the noise of one {word} tells that of {then}")


def allowed_repeats(calls: int, law: Law, level: float) -> int:
    """Return how many answers may repeat an earlier one, except with this probability.

    Parameters
    ----------
    calls
        How many answers; only equal coordinates of two answers count.
    law
        The right law.
    level
        In (0, 1).

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> allowed_repeats(50_000, read(Law("norm").to_data()), 1e-10)
    1
    """
    ratio = np.broadcast_to(np.abs(law.loc) / np.asarray(law.scale), law.shape)
    expected = float(np.sum(4 * (2 + ratio) * 2.0**-52)) * calls * (calls - 1) / 2
    size = calls * ratio.size
    if expected <= 0 or not math.isfinite(expected) or expected >= size:
        return size if expected else 0
    k = 1
    while k <= size and k * math.log(expected) - math.lgamma(k + 1) > math.log(level):
        k += 1
    return k - 1


def fits(values: Any, law: LawData) -> bool:
    """Whether answers look like this law: to name a mistake, not to judge.

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> one_draw = Law("norm", loc=[0.0, 5.0], shared=True)
    >>> fits(one_draw.draw(1000, np.random.default_rng(0)), one_draw.to_data())
    True
    """
    found = read(law)
    if isinstance(found, Discrete):
        return _fits_discrete(values, found)
    answers = np.asarray(values, dtype=np.float64)
    if answers.shape[1:] != found.shape:
        return False
    noise = found.noise(answers)
    if not np.all(np.isfinite(noise)):
        return False
    same = noise.shape[1] > 1 and np.allclose(noise, noise[:, :1], rtol=1e-6, atol=1e-6)
    if noise.shape[1] > 1 and same != found.shared:
        return False
    ranks = found.ranks(noise[:, :1] if found.shared else noise)
    # each entry by itself as well: one that is too high can make up for one that is too low
    return all(_looks_uniform(u, NAMED_AT) for u in (ranks, *ranks.T))


def _fits_discrete(values: Any, law: Discrete) -> bool:
    try:
        given = flat(values, len(law.shape))
    except TypeError:
        return False
    if len(given) != len(values) * law.row.size:
        return False
    columns = law.columns(given)
    if np.any(columns < 0) or np.any(columns >= law.masses.shape[1]):
        return False
    same = law.row.size > 1 and bool(np.all(columns == columns[:, :1]))
    if law.row.size > 1 and law.start is not None and same != law.shared:
        return False
    if law.shared and law.start is not None:
        columns = columns[:, :1]
        law = replace(law, shape=(), row=law.row[:1], start=law.start[:1], shared=False)
    if np.any(law.masses[law.row, columns] == 0):
        return False
    u = law.ranks(columns, _own(0))
    return not _far(u, NAMED_AT) and next(_atoms(columns, law, NAMED_AT), None) is None
