r"""Laws of random answers, as data and as what the tests need of them.

A law is declared by `Law` (continuous), `DiscreteLaw` (integers) or `Categorical` (a few named
answers) by an author; its `to_data` is JSON. `read` makes of it an object
that turns answers into *ranks*: numbers u that are independent and uniform on [0, 1] exactly when
the law is right.

- Continuous: :math:`u = F(x)`.
- Discrete: :math:`u = F(x^-) + V (F(x) - F(x^-))` with a V of the grader's own, uniform on [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpteach.grading.core.plain import decode

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: integer laws without an end are tabulated up to where less than this is left on each side: in
#: 10^6 draws an answer beyond has a probability below 10^-14
BEYOND: Final = 1e-20

#: the largest scale, sigma or number of trials of an integer law: its table stays small
LARGEST_SCALE: Final = 10_000

#: families of `DiscreteLaw`, with their parameters
INTEGER_FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "discrete_laplace": ("scale",),
    "discrete_gaussian": ("sigma",),
    "geometric": ("p",),
    "binomial": ("n", "p"),
}


class _Gaussian:
    """``scipy.stats.norm`` without the second that it takes to import scipy.stats."""

    def cdf(self, x: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(x), dtype=np.float64)

    def ppf(self, u: float) -> float:
        return NormalDist().inv_cdf(u)

    def pdf(self, x: Floats) -> Floats:
        return np.asarray(np.exp(-0.5 * x**2) / math.sqrt(2 * math.pi), dtype=np.float64)

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

    def pdf(self, x: Floats) -> Floats:
        return np.asarray(0.5 * np.exp(-np.abs(x)), dtype=np.float64)

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


@dataclass(frozen=True)
class Continuous:
    """``loc + scale * Z`` with independent coordinates Z of a standard law.

    Attributes
    ----------
    standard
        The law of Z, with the methods of a frozen law of ``scipy.stats``.
    loc, scale
        Of each coordinate.
    shared
        Whether one Z is used for all coordinates.
    """

    standard: Any
    loc: Floats
    scale: Floats
    shared: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return np.broadcast_shapes(self.loc.shape, self.scale.shape)

    def noise(self, answers: Floats) -> Floats:
        """Z of each answer, one row a call, one column a coordinate."""
        with np.errstate(over="ignore"):
            z = (answers - self.loc) / self.scale
        return np.asarray(z.reshape(len(answers), -1), dtype=np.float64)

    def ranks(self, noise: Floats) -> Floats:
        """The u of each Z."""
        return np.clip(np.asarray(self.standard.cdf(noise), dtype=np.float64), 0.0, 1.0)

    def draw(self, calls: int, rng: np.random.Generator) -> Floats:
        """Answers that follow the law, one row a call."""
        size = (calls,) + ((1,) * len(self.shape) if self.shared else self.shape)
        noise = np.asarray(self.standard.rvs(size=size, random_state=rng), dtype=np.float64)
        answers = self.loc + self.scale * noise
        return np.array(np.broadcast_to(answers, (calls, *self.shape)), dtype=np.float64)


@dataclass(frozen=True)
class Discrete:
    """Independent coordinates with a table of probabilities each.

    Attributes
    ----------
    shape
        Of one answer.
    masses
        The tables, one a row; each sums to 1.
    row
        Which table each coordinate has.
    start
        What the first column stands for, of each coordinate: an integer. None for categories.
    first
        Of an integer law: the noise that the first column stands for.
    atoms
        What the columns stand for, for categories.
    ends
        Whether the support ends with the table, below and above.
    shared
        Whether one draw is used for all coordinates.
    """

    shape: tuple[int, ...]
    masses: Floats
    row: Integers
    start: Integers | None
    first: int
    atoms: tuple[Any, ...]
    ends: tuple[bool, bool]
    shared: bool

    def columns(self, answers: Any) -> Integers:
        """The column of each answer; -1 below the table or for no atom, the width above it."""
        width = self.masses.shape[1]
        if self.start is None:
            number = {atom: i for i, atom in enumerate(self.atoms)}
            flat = [number.get(answer, -1) for answer in answers]
            found = np.array(flat, dtype=np.int64)
        else:
            try:
                found = np.array(answers, dtype=np.int64)
            except OverflowError:  # beyond 64 bits, and so beyond the table
                low, high = int(self.start.min()) - 1, int(self.start.max()) + width
                found = np.array([min(max(x, low), high) for x in answers], dtype=np.int64)
        found = found.reshape(-1, self.row.size)
        if self.start is not None:
            # clipped first: a difference of 64-bit numbers may have 65 bits
            found = np.clip(found, self.start - 1, self.start + width) - self.start
        return found

    def answers(self, columns: Integers) -> Any:
        """What columns stand for, as nested lists with one entry a call."""
        if self.start is not None:
            return (columns + self.start).reshape(-1, *self.shape).tolist()
        named = np.empty(len(self.atoms), dtype=object)
        named[:] = self.atoms
        return named[columns].reshape(-1, *self.shape).tolist()

    def cumulated(self) -> Floats:
        """The probability below each column, and 1 at the end."""
        table = np.zeros((len(self.masses), self.masses.shape[1] + 1))
        np.cumsum(self.masses, axis=1, out=table[:, 1:])
        table[:, -1] = 1.0
        return np.minimum(table, 1.0)

    def ranks(self, columns: Integers, rng: np.random.Generator) -> Floats:
        """The u of each column, spread evenly over the probability of its atom."""
        table = self.cumulated()
        below, above = table[self.row, columns], table[self.row, columns + 1]
        return np.asarray(below + rng.random(columns.shape) * (above - below), dtype=np.float64)

    def draw(self, calls: int, rng: np.random.Generator) -> Integers:
        """Columns that follow the law, one row a call."""
        table = self.cumulated()
        size = (calls, 1 if self.shared else self.row.size)
        u = np.broadcast_to(rng.random(size), (calls, self.row.size))
        found = np.empty(u.shape, dtype=np.int64)
        for r in range(len(table)):
            mine = self.row == r
            found[:, mine] = np.searchsorted(table[r, 1:-1], u[:, mine], side="right")
        return found


def read(law: Mapping[str, Any]) -> Continuous | Discrete:
    """The law that data (a `to_data`) describe.

    Raises
    ------
    ValueError
        If there is no such family.

    Examples
    --------
    >>> from dpteach.grading.kinds.random import DiscreteLaw
    >>> law = read(DiscreteLaw("binomial", {"n": 2, "p": 0.5}).to_data())
    >>> law.masses.tolist()
    [[0.25, 0.5, 0.25]]
    """
    kind = law.get("kind", "continuous")
    if kind == "categories":
        masses = np.asarray(law["masses"], dtype=np.float64)
        shape = masses.shape[:-1]
        rows, row = np.unique(masses.reshape(-1, masses.shape[-1]), axis=0, return_inverse=True)
        return Discrete(
            shape=shape,
            masses=rows,
            row=np.asarray(row, dtype=np.int64).ravel(),
            start=None,
            first=0,
            atoms=tuple(law["atoms"]),
            ends=(True, True),
            shared=False,
        )
    if kind == "integers":
        loc = np.asarray(law["loc"], dtype=np.int64)
        first, table, ends = _table(law["family"], law["parameters"])
        return Discrete(
            shape=loc.shape,
            masses=table[np.newaxis],
            row=np.zeros(loc.size, dtype=np.int64),
            start=loc.ravel() + first,
            first=first,
            atoms=(),
            ends=ends,
            shared=bool(law["shared"]),
        )
    return Continuous(
        standard=_standard(law),
        loc=np.asarray(decode(law["loc"]), dtype=np.float64),
        scale=np.asarray(decode(law["scale"]), dtype=np.float64),
        shared=bool(law["shared"]),
    )


def _table(family: str, parameters: Mapping[str, float]) -> tuple[int, Floats, tuple[bool, bool]]:
    """The first integer of a table, its probabilities, and whether the support ends there."""
    if family == "discrete_laplace":
        # P(Z >= z) = e^(-z/scale) / (1 + e^(-1/scale))
        scale = parameters["scale"]
        reach = max(1, math.ceil(-scale * math.log(BEYOND)))
        z = np.arange(-reach, reach + 1)
        weights = np.exp(-np.abs(z) / scale)
        return -reach, weights / weights.sum(), (False, False)
    if family == "discrete_gaussian":
        # P(Z >= z) <= e^(-z^2/(2 sigma^2)) (Canonne, Kamath and Steinke, 2020, proposition 25)
        sigma = parameters["sigma"]
        reach = max(1, math.ceil(sigma * math.sqrt(-2 * math.log(BEYOND))))
        z = np.arange(-reach, reach + 1)
        weights = np.exp(-0.5 * (z / sigma) ** 2)
        return -reach, weights / weights.sum(), (False, False)
    if family == "geometric":
        p = parameters["p"]
        reach = 1 if p >= 1 else max(1, math.ceil(math.log(BEYOND) / math.log1p(-p)))
        weights = p * (1 - p) ** np.arange(reach + 1.0)
        return 0, weights / weights.sum(), (True, False)
    if family == "binomial":
        from scipy.special import gammaln, xlog1py, xlogy

        n, p = int(parameters["n"]), parameters["p"]
        k = np.arange(n + 1.0)
        choose = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
        weights = np.exp(choose + xlogy(k, p) + xlog1py(n - k, -p))
        return 0, weights / weights.sum(), (True, True)
    raise ValueError(f"family must be one of {', '.join(INTEGER_FAMILIES)}, got family={family!r}")
