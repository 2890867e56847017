r"""Tests of a sample against a distribution, each with a proved probability of a false alarm.

Answers are converted to ranks (`distributions`): numbers u that are independent and uniform on [0,
1] exactly when the answers have the distribution. Each test below gets a share, called a, of the
false-alarm probability of a case. The test fails right answers with probability at most a, for
every number n of ranks:

``support``
    Whether an answer is a category of probability 0, or an integer outside of the distribution's
    table. The share a of this test is 0.
``law`` (not for categories)
    The largest distance between the empirical distribution of u and the uniform one. By the
    inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990), it exceeds
    :math:`\sqrt{\log(2/a)/(2n)}` with probability at most a.
``centre``, ``width`` (not for categories)
    The means of u and of ``|2u - 1|``, which is uniform as well. A uniform number U has
    :math:`E e^{s(U - 1/2)} = \sinh(s/2)/(s/2) \le e^{s^2/24}`, because, by
    :math:`(2k+1)! \ge 6^k k!`, no term of the left side's power series exceeds that of the right
    side's. By Chernoff's bound, the mean of n such numbers differs from 1/2 by t or more with
    probability at most :math:`2 e^{-6nt^2}`. These tests find small shifts and scalings that
    ``law`` does not find.
``coordinates``
    Differences and sums, modulo 1, of the u of two coordinates of one call that are a fixed lag
    apart. For independent uniform u, the differences for one lag are again independent and
    uniform, because each contains a u that the differences before it do not contain; and so are
    the sums. Each of these samples is tested as ``law`` tests u, and a is divided equally among
    these tests.
``low tail``, ``high tail`` (not for categories)
    The number of u below tau, and above 1 - tau. By Chernoff's bound, a binomial count is at c or
    further on the same side of its mean with probability at most exp(-n kl(c/n, tau)), where kl is
    the Kullback-Leibler divergence between two coins.
``atoms`` (not for continuous distributions)
    The number of times that each frequent answer occurs, and the number of all rare answers
    together. The bound is that of the tails, and a is divided equally among these counts.
``repeats`` (continuous distributions)
    Numbers that are equal to an earlier one, which rounding and clipping produce. Suppose that the
    density g of the noise satisfies g(z) <= 4 and abs(z) g(z) <= 4. Each floating-point number x
    is then an answer with probability at most p = 4 (2 + abs(loc)/scale) 2^-52, since the spacing
    of floats at x is at most 2^-52 abs(x). If k answers repeat an earlier one, there are k pairs
    of equal answers without a cycle. The probability that k fixed pairs of this sort are all equal
    is at most p^k, and there are at most N^k/k! ways to choose k of all N pairs of answers. The
    probability of k repeats is therefore at most (N p)^k/k!.

The false-alarm probability of a case, except for one thousandth, is divided equally among the
tests of its distribution. The thousandth allows for the rounding of floats and the ends of tables.

No test looks for dependence between calls, because `judge` refuses a function whose answers the
generator does not determine. Noise that is kept from one call to the next is therefore excluded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from dpteach._language import catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.kinds.random.distributions import Floats, Integers, Law, LawData, Table, read

_, _n = catalog("kinds")

#: for each kind of distribution, the names of the tests of a case. Each test gets an equal share of
#: the false-alarm probability of the case
TESTS: Final = {
    "continuous": ("law", "centre", "width", "coordinates", "low tail", "high tail", "repeats"),
    "integers": ("law", "centre", "width", "coordinates", "low tail", "high tail", "atoms"),
    "categories": ("coordinates", "atoms"),
}

#: the fraction of the false-alarm probability of a case that its tests use together; the rest
#: allows for rounding
USED: Final = 0.999

#: each tail begins where this number of draws is expected beyond it. An empty tail is then detected
#: even at a level of 1e-11, because for c expected draws it has a probability of only about e^-c
TAIL_COUNT: Final = 30

#: the test ``coordinates`` compares two coordinates of an answer only if their indices differ by at
#: most this number
LAGS: Final = 6

#: the test ``atoms`` counts a discrete answer by itself if it is expected at least ``ATOM_COUNT``
#: times, but does so for at most ``MOST_ATOMS`` answers. It counts all other answers together
ATOM_COUNT: Final = 20
MOST_ATOMS: Final = 400

#: feedback names a mistake if the answers pass tests against the mistake's distribution. Answers
#: that really have this distribution fail each of these tests with at most this probability
NAMED_AT: Final = 1e-6


@dataclass(frozen=True)
class Finding:
    """Description of a statistical test that a sample of answers fails.

    Attributes
    ----------
    test
        The name of the test.
    words
        A text on what is wrong, without numbers of the case or the answers.
    detail
        A text with numbers on what is wrong, for visible cases; or "".
    """

    test: str
    words: str
    detail: str = ""


def distance_threshold(n: int, false_alarm: float) -> float:
    """Return a bound on the `uniform_distance` of n independent uniform numbers.

    The distance exceeds the bound with probability at most `false_alarm`.

    Examples
    --------
    >>> round(distance_threshold(50_000, 1e-9), 5)
    0.01463
    """
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def uniform_distance(u: ArrayLike) -> float:
    """Return the Kolmogorov-Smirnov distance of a sample from the uniform distribution on [0, 1].

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
    """Return a bound on the distance of the mean of n independent uniform numbers from 1/2.

    The distance reaches the bound with probability at most `false_alarm`.

    Examples
    --------
    >>> round(mean_threshold(50_000, 1e-9), 5)
    0.00845
    """
    return math.sqrt(math.log(2 / false_alarm) / (6 * n))


def unlikely(count: float, n: int, p: float, false_alarm: float) -> bool:
    """Return whether `count` is too far from n p to be the number of successes in n trials.

    The trials are independent, each with success probability p. If `count` is the number of their
    successes, the result is True with probability at most `false_alarm`, half of it on each side.

    Examples
    --------
    >>> unlikely(0, 1000, 0.03, 1e-9), unlikely(0, 1000, 0.01, 1e-9)
    (True, False)
    """
    if p <= 0 or p >= 1:
        return count != n * p
    return n * divergence_of_coins(count / n, p) > math.log(2 / false_alarm)


def divergence_of_coins(x: float, y: float) -> float:
    """Return kl(x, y), the Kullback-Leibler divergence between coins with probabilities x and y.

    x is in [0, 1], and y in (0, 1).

    >>> divergence_of_coins(1.0, 0.5)
    0.6931471805599453
    """
    heads = x * math.log(x / y) if x > 0 else 0.0
    tails = (1 - x) * math.log((1 - x) / (1 - y)) if x < 1 else 0.0
    return heads + tails


def findings(values: Any, law: LawData, false_alarm: float, *, seed: int = 0) -> Finding | None:
    """Describe the first test that the answers of independent calls fail; return None if they pass.

    Parameters
    ----------
    values
        The answer of each call, in the shape of the distribution: finite numbers for a continuous
        distribution, integers (of Python, of any size) for a discrete Laplace distribution,
        categories for a categorical one.
    law
        The distribution as data (from its method `to_data`); its coordinates are independent.
    false_alarm
        The probability with which right answers may be failed, in (0, 1).
    seed
        A seed for the random numbers by which discrete answers are converted to continuous ranks.

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
    level = USED * false_alarm / len(TESTS[law["kind"]])
    if isinstance(found, Law):
        # suppress a warning if the distance of a very large answer from the location overflows
        with np.errstate(over="ignore", invalid="ignore"):
            return next(_continuous(np.asarray(values, dtype=np.float64), found, level), None)
    return next(_discrete(found.columns(values), found, level, _own(seed)), None)


def _own(seed: int) -> np.random.Generator:
    """Return the grader's own random generator, whose numbers a student's code cannot see."""
    return np.random.default_rng([seed, 0x5EED])


def _continuous(answers: Floats, law: Law, level: float) -> Iterator[Finding]:
    noise = law.noise(answers)
    u = law.ranks(noise)
    repeats = _repeats(answers, law, level)
    for finding in _shape(u, level):
        if finding.test == "law" and repeats:
            # repeated answers may be why the distribution is wrong, so report them first
            finding = repeats
        width = law.standard.ppf(0.75) - law.standard.ppf(0.25)
        if np.ptp(np.quantile(noise, [0.25, 0.75])) < 1e-6 * width:
            finding = Finding("law", _("there is no noise: all answers are (almost) the same"))
        yield finding
    yield from _coordinates(u, level)
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
        _("answers repeat exactly, which does not happen with continuous noise"),
        _(
            "{repeated} of {total} numbers equal an earlier one",
            repeated=repeated,
            total=columns.size,
        ),
    )


def _discrete(
    columns: Integers, law: Table, level: float, rng: np.random.Generator
) -> Iterator[Finding]:
    outside = (columns < 0) | (columns >= law.width)
    if law.start is None:
        if np.any(outside | (law.masses[law.row, np.maximum(columns, 0)] == 0)):
            yield Finding("support", _("some answers are impossible for a right mechanism"))
        yield from _atoms(columns, law, level)
        yield from _coordinates(law.ranks(columns, rng), level)
        return
    if np.any(outside):
        yield Finding("tail", _("far too many answers are far from the true value"))
    u = law.ranks(columns, rng)
    yield from _shape(u, level)
    yield from _tails(u, level)
    yield from _atoms(columns, law, level)
    yield from _coordinates(u, level)


def _far(u: Floats, level: float) -> bool:
    return uniform_distance(u) > distance_threshold(u.size, level)


def _off(u: Floats, level: float) -> float:
    """Return mean(u) - 1/2, divided by the largest allowed distance of the mean from 1/2."""
    return (float(np.mean(u)) - 0.5) / mean_threshold(u.size, level)


def _folded(u: Floats) -> Floats:
    return np.abs(2 * u - 1)


def _shape(u: Floats, level: float) -> Iterator[Finding]:
    """Yield a finding for each failed test: `width` and `centre`, the worse first, then `law`."""
    shift, spread = _off(u, level), _off(_folded(u), level)
    width = Finding(
        "width", _("the noise is too wide") if spread > 0 else _("the noise is too narrow")
    )
    centre = Finding(
        "centre",
        _("the noise is not centered on the true value: the answers are too large")
        if shift > 0
        else _("the noise is not centered on the true value: the answers are too small"),
    )
    both = [(abs(spread), width), (abs(shift), centre)]
    both.sort(key=lambda pair: -pair[0])
    yield from (finding for off, finding in both if off > 1)
    if _far(u, level):
        yield Finding("law", _("the noise has about the right width, but another distribution"))


def _coordinates(u: Floats, level: float) -> Iterator[Finding]:
    lags = min(u.shape[1] - 1, LAGS)
    for lag in range(1, lags + 1):
        later, earlier = u[:, lag:], u[:, :-lag]
        for turned in (later - earlier, later + earlier):
            if _far(turned - np.floor(turned), level / (2 * lags)):
                yield Finding(
                    "coordinates", _("the noise of one entry depends on the noise of another")
                )


def _tails(u: Floats, level: float) -> Iterator[Finding]:
    n = u.size
    tau = min(TAIL_COUNT / n, 0.5)
    for test, ranks in (("low tail", u), ("high tail", 1 - u)):
        count = int(np.count_nonzero(ranks < tau))
        if unlikely(count, n, tau, level):
            yield Finding(
                test,
                _("far too few answers are far from the true value")
                if count < n * tau
                else _("far too many answers are far from the true value"),
                _(
                    "{found} of {total} numbers where about {expected:.0f} are expected",
                    found=count,
                    total=n,
                    expected=n * tau,
                ),
            )


def _atoms(columns: Integers, law: Table, level: float) -> Iterator[Finding]:
    """Yield a finding if some answer of a discrete mechanism comes too often or too rarely.

    If several answers do, the finding describes the one whose count is the least likely.
    """
    counted: list[tuple[int, int, float, int]] = []
    for r, masses in enumerate(law.masses):
        answers = columns[:, law.row == r]
        n, seen = answers.size, np.bincount(answers.ravel(), minlength=law.width)
        often = np.argsort(-masses, kind="stable")[:MOST_ATOMS]
        often = often[(n * masses[often] >= ATOM_COUNT) & (masses[often] < 1)]
        counted += [(int(seen[column]), n, float(masses[column]), int(column)) for column in often]
        # rounding may make the probability of all rare answers 0 or less, for which the divergence
        # would be infinite
        rest = max(1e-9, 1.0 - float(masses[often].sum()))
        counted.append((n - int(seen[often].sum()), n, rest, -1))
    wrong = [
        (n * divergence_of_coins(seen / n, mass), _atom_finding(law, column, seen, n, mass))
        for seen, n, mass, column in counted
        if unlikely(seen, n, mass, level / len(counted))
    ]
    if wrong:
        yield max(wrong, key=lambda pair: pair[0])[1]


def _atom_finding(law: Table, column: int, seen: int, n: int, mass: float) -> Finding:
    if column < 0:
        which = _("a rare answer")
    elif law.start is None:
        which = _("the answer {answer}", answer=shown(law.atoms[column]))
    elif np.all(law.start == law.first):
        which = _("the answer {answer}", answer=column + law.first)
    else:
        which = _("the noise {noise}", noise=column + law.first)
    return Finding(
        "atoms",
        _("one of the answers comes too often")
        if seen > n * mass
        else _("one of the answers comes too rarely"),
        _(
            "{which}: {seen} of {total}, where about {expected:.0f} are expected",
            which=which,
            seen=seen,
            total=n,
            expected=n * mass,
        ),
    )


def allowed_repeats(calls: int, law: Law, level: float) -> int:
    """Return the allowed number of answers that repeat an earlier answer.

    Answers of a right mechanism exceed this number with probability at most `level`.

    Parameters
    ----------
    calls
        The number of answers. For vectors, each coordinate is compared only with the same
        coordinate of other answers.
    law
        The right distribution.
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
    """Return whether answers fit a mistake's distribution so well that feedback names the mistake.

    Parameters
    ----------
    values
        Answers of the right shape, given as for `findings`.
    law
        The mistake's distribution as data. All coordinates may get the same draw of the noise
        (``shared``).

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> one_draw = Law("norm", loc=[0.0, 5.0], shared=True)
    >>> fits(one_draw.draw(1000, np.random.default_rng(0)), one_draw.to_data())
    True
    """
    found = read(law)
    if isinstance(found, Table):
        return _fits_table(found.columns(values), found)
    noise = found.noise(np.asarray(values, dtype=np.float64))
    if not np.all(np.isfinite(noise)):
        return False
    if noise.shape[1] > 1 and found.shared != np.allclose(noise, noise[:, :1], 1e-6, 1e-6):
        return False
    ranks = found.ranks(noise[:, :1] if found.shared else noise)
    # test each coordinate also by itself, as high ranks in one could hide low ranks in another
    return not any(
        _far(u, NAMED_AT) or abs(_off(u, NAMED_AT)) > 1 or abs(_off(_folded(u), NAMED_AT)) > 1
        for u in (ranks, *ranks.T)
    )


def _fits_table(columns: Integers, law: Table) -> bool:
    if np.any((columns < 0) | (columns >= law.width)):
        return False
    if law.start is not None and law.row.size > 1:
        if law.shared != bool(np.all(columns == columns[:, :1])):
            return False
        if law.shared:
            columns, law = columns[:, :1], replace(law, row=law.row[:1])
    if np.any(law.masses[law.row, columns] == 0):
        return False
    u = law.ranks(columns, _own(0))
    return not _far(u, NAMED_AT) and next(_atoms(columns, law, NAMED_AT), None) is None
