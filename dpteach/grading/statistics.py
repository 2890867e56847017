r"""Does a sample follow a law? Tests with a false-alarm probability that is proved, not hoped for.

A sample is turned into numbers ``u = F(x)`` that are independent and uniform on [0, 1] exactly
when the law is right (F continuous). Then:

``law``
    The largest distance between the empirical law of u and the uniform one. By the inequality of
    Dvoretzky, Kiefer and Wolfowitz with Massart's constant it exceeds
    :math:`\sqrt{\log(2/\alpha)/(2n)}` with probability at most alpha, for every n.
``coordinates``, ``calls``
    The same test on the differences, modulo 1, of neighbouring coordinates and of consecutive
    calls: for independent uniform u these are again independent and uniform. A draw that is used
    twice gives 0.
``low tail``, ``high tail``
    How many u lie below tau and above 1 - tau. By Chernoff's bound a binomial count is at c or
    beyond with probability at most exp(-n kl(c/n, tau)), kl the Kullback-Leibler divergence of
    two coins.
``repeats``
    Equal numbers. A pair coincides with probability at most 4 g for a density of at most 4 per
    unit of scale, where g is the spacing of floating-point numbers at the largest value, in
    units of the scale, and at least 2^-52; k or more coinciding pairs have probability at most
    lambda^k / k!, lambda their expected number.

The false-alarm probability of a case is divided equally among these six.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach.grading.plain import decode, shown

Floats = NDArray[np.float64]

#: the tests of one case, among which its false-alarm probability is divided
TESTS = ("law", "coordinates", "calls", "low tail", "high tail", "repeats")

#: expected number of draws in a tail that is counted
TAIL_COUNT = 60

#: a mistaken law is named as the likely one if the sample passes its test at this level
NAMED_AT = 1e-6


@dataclass(frozen=True)
class Finding:
    """The first test that a sample fails, and in which direction."""

    test: str
    words: str


def distance_threshold(n: int, false_alarm: float) -> float:
    """The distance that n uniform numbers exceed with at most this probability.

    Parameters
    ----------
    n
        How many numbers, >= 1.
    false_alarm
        In (0, 1).

    Raises
    ------
    TypeError, ValueError
        If an argument is outside its domain.

    Examples
    --------
    >>> round(distance_threshold(50_000, 1e-9), 5)
    0.01463
    """
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"n must be an integer >= 1, got n={shown(n)}")
    if n < 1:
        raise ValueError(f"n must be an integer >= 1, got n={n}")
    if isinstance(false_alarm, bool) or not isinstance(false_alarm, (int, float)):
        raise TypeError(f"false_alarm must be a number in (0, 1), got {shown(false_alarm)}")
    if not 0 < false_alarm < 1:
        raise ValueError(f"false_alarm must be in (0, 1), got false_alarm={false_alarm}")
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def uniform_distance(u: ArrayLike) -> float:
    """The Kolmogorov-Smirnov distance of a sample from the uniform law on [0, 1].

    Examples
    --------
    >>> uniform_distance([0.25, 0.75])
    0.25
    """
    ordered = np.sort(np.asarray(u, dtype=np.float64).ravel())
    if ordered.size == 0 or not np.all(np.isfinite(ordered)):
        raise ValueError(f"u must hold finite numbers, at least one, got u={shown(u)}")
    n = ordered.size
    steps = np.arange(n + 1) / n
    return float(max(np.max(steps[1:] - ordered), np.max(ordered - steps[:-1])))


class _Gaussian:
    """``scipy.stats.norm`` without the second that it takes to import scipy.stats."""

    def cdf(self, x: Floats) -> Floats:
        halves = [math.erfc(-value) for value in (x / math.sqrt(2)).ravel().tolist()]
        return 0.5 * np.array(halves).reshape(x.shape)

    def ppf(self, u: float) -> float:
        return NormalDist().inv_cdf(u)

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def rvs(self, size: tuple[int, ...], random_state: np.random.Generator) -> Floats:
        return random_state.standard_normal(size)


class _Laplace:
    """``scipy.stats.laplace`` without the second that it takes to import scipy.stats."""

    def cdf(self, x: Floats) -> Floats:
        half = 0.5 * np.exp(-np.abs(x))
        return np.where(x < 0, half, 1 - half)

    def ppf(self, u: float) -> float:
        return math.log(2 * u) if u < 0.5 else -math.log(2 * (1 - u))

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def rvs(self, size: tuple[int, ...], random_state: np.random.Generator) -> Floats:
        return random_state.laplace(size=size)


def _standard(law: Mapping[str, Any]) -> Any:
    """The law of ``(answer - loc) / scale``, with the methods of a frozen scipy law."""
    if law["family"] == "norm":
        return _Gaussian()
    if law["family"] == "laplace":
        return _Laplace()
    from scipy import stats

    family = getattr(stats, law["family"], None)
    if not isinstance(family, stats.rv_continuous):
        raise ValueError(
            f"family must name a continuous law of scipy.stats, got family={law['family']!r}"
        )
    return family(**decode({"dict": law["parameters"]}))


def _law(law: Mapping[str, Any]) -> tuple[Any, Floats, Floats]:
    """The standard law, its location and its scale."""
    loc = np.asarray(decode(law["loc"]), dtype=np.float64)
    scale = np.asarray(decode(law["scale"]), dtype=np.float64)
    return _standard(law), loc, scale


def draw(law: Mapping[str, Any], calls: int, rng: np.random.Generator) -> Floats:
    """Answers that follow a law (its `to_data`), one row a call.

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> draw(Law("norm", loc=[0, 0, 0]).to_data(), 2, np.random.default_rng(1)).shape
    (2, 3)
    """
    standard, loc, scale = _law(law)
    shape = np.broadcast_shapes(loc.shape, scale.shape)
    size = (calls,) + ((1,) * len(shape) if law["shared"] else shape)
    noise = np.asarray(standard.rvs(size=size, random_state=rng), dtype=np.float64)
    return np.asarray(loc + scale * noise, dtype=np.float64)


def findings(values: ArrayLike, law: Mapping[str, Any], false_alarm: float) -> Finding | None:
    """The first of `TESTS` that answers of independent calls fail, or None.

    Parameters
    ----------
    values
        The answers, one row a call; the rest of the shape is the law's.
    law
        The law as data (`Law.to_data`), not shared.
    false_alarm
        The probability with which right answers may be failed, in (0, 1).

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> law, wide = Law("norm", loc=[0.0, 5.0]), Law("norm", loc=[0.0, 5.0], scale=2.0)
    >>> sample = draw(law.to_data(), 5000, np.random.default_rng(0))
    >>> findings(sample, law.to_data(), 1e-9) is None
    True
    >>> findings(sample, wide.to_data(), 1e-9).test
    'law'
    """
    answers = np.asarray(values, dtype=np.float64)
    standard, loc, scale = _law(law)
    calls = answers.shape[0]
    noise = ((answers - loc) / scale).reshape(calls, -1)
    level = false_alarm / len(TESTS)
    lowest, highest = standard.support()
    if np.any(noise < lowest) or np.any(noise > highest):
        return Finding("law", "some answers lie where this mechanism never answers")
    u = np.clip(np.asarray(standard.cdf(noise), dtype=np.float64), 0.0, 1.0)
    n = u.size

    if uniform_distance(u) > distance_threshold(n, level):
        return Finding("law", _direction(noise, standard))
    if u.shape[1] > 1:
        turned = np.mod(np.diff(u, axis=1), 1.0)
        if uniform_distance(turned) > distance_threshold(turned.size, level):
            return Finding("coordinates", "the noise of one coordinate tells that of the next")
    if calls > 1:
        turned = np.mod(np.diff(u[:, 0]), 1.0)
        if uniform_distance(turned) > distance_threshold(turned.size, level):
            return Finding("calls", "the noise of one call tells that of the next")
    tau = min(TAIL_COUNT / n, 0.5)
    for test, count in (
        ("low tail", int(np.sum(u < tau))),
        ("high tail", int(np.sum(u > 1 - tau))),
    ):
        if n * _divergence(count / n, tau) > math.log(2 / level):
            word = "few" if count < n * tau else "many"
            return Finding(test, f"far too {word} answers are far from the true value")
    repeated = n - sum(len(np.unique(answers.reshape(calls, -1)[:, j])) for j in range(u.shape[1]))
    if repeated > _allowed_repeats(answers, scale, level):
        return Finding("repeats", "answers repeat exactly, which continuous noise does not")
    return None


def _divergence(x: float, y: float) -> float:
    """The Kullback-Leibler divergence of a coin x from a coin y in (0, 1)."""
    heads = x * math.log(x / y) if x > 0 else 0.0
    tails = (1 - x) * math.log((1 - x) / (1 - y)) if x < 1 else 0.0
    return heads + tails


def _allowed_repeats(answers: Floats, scale: Floats, level: float) -> int:
    """The number of coinciding pairs that right answers exceed with at most this probability."""
    calls = answers.shape[0]
    columns = answers.size // calls
    grain = float(np.spacing(np.max(np.abs(answers)))) / float(np.min(scale))
    expected = columns * calls**2 / 2 * 4 * max(grain, 2.0**-52)
    k = 1
    while k * math.log(expected) - math.lgamma(k + 1) > math.log(level):
        k += 1
        if k > answers.size:
            break
    return k - 1


def _direction(noise: Floats, standard: Any) -> str:
    """In words, how a sample differs from the law: its centre, its width, or its shape."""
    wanted = [float(standard.ppf(x)) for x in (0.25, 0.5, 0.75)]
    found = [float(np.quantile(noise, x)) for x in (0.25, 0.5, 0.75)]
    width, right_width = found[2] - found[0], wanted[2] - wanted[0]
    if width < 1e-6 * right_width:
        return "there is no noise: every call answers (almost) the same"
    if width > 1.05 * right_width:
        return "the noise is too wide"
    if width < 0.95 * right_width:
        return "the noise is too narrow"
    if abs(found[1] - wanted[1]) > 0.05 * right_width:
        return "the noise is not centred on the true value"
    return "the noise has about the right width, but another law"


def fits(values: ArrayLike, law: Mapping[str, Any]) -> bool:
    """Whether answers look like this law: to name a mistake, not to judge.

    Examples
    --------
    >>> from dpteach.grading import Law
    >>> one_draw = Law("norm", loc=[0.0, 5.0], shared=True).to_data()
    >>> fits(draw(one_draw, 1000, np.random.default_rng(0)), one_draw)
    True
    """
    answers = np.asarray(values, dtype=np.float64)
    standard, loc, scale = _law(law)
    if answers.shape[1:] != np.broadcast_shapes(loc.shape, scale.shape):
        return False
    noise = ((answers - loc) / scale).reshape(answers.shape[0], -1)
    if law["shared"]:
        if not np.allclose(noise, noise[:, :1], rtol=1e-6, atol=1e-6):
            return False
        noise = noise[:, :1]
    elif noise.shape[1] > 1 and np.allclose(noise, noise[:, :1], rtol=1e-6, atol=1e-6):
        return False
    u = np.clip(np.asarray(standard.cdf(noise), dtype=np.float64), 0.0, 1.0)
    return uniform_distance(u) <= distance_threshold(u.size, NAMED_AT)
