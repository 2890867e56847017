r"""Distributions of random answers: as an author declares them, as JSON data, and for the tests.

An author declares a `Law`, a `DiscreteLaplace` or a `Categorical`. Their method ``to_data``
returns JSON data, and `read` converts the data to a `Law` or a `Table`. These convert each answer
x to a *rank*, a number u. The ranks are independent and uniform on [0, 1] exactly when the answers
have the distribution. With the distribution function F, the rank is

- Continuous: :math:`u = F(x)`.
- Discrete: :math:`u = F(x^-) + V (F(x) - F(x^-))`, where the grader draws V uniformly from [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, Final, TypeAlias, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import catalog
from dpteach.grading.core.plain import reduce
from dpteach.grading.kinds import require

_, _n = catalog("kinds")

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

#: upper bound on the total probability of the integers that the table of a discrete Laplace
#: distribution leaves out. The probability that 10^6 draws are not all in the table is at most
#: 10^-14
BEYOND: Final = 1e-20

#: largest scale of a discrete Laplace distribution. It is limited so that the table stays small
LARGEST_SCALE: Final = 10_000

_SCALE: Final = _check.Domain(f"in (0, {LARGEST_SCALE}]", lambda x: 0 < x <= LARGEST_SCALE)


class LawData(TypedDict, total=False):
    """A distribution as JSON data: its ``kind``, and the fields of the class that declares it."""

    kind: str
    family: str
    loc: Any
    scale: Any
    shared: bool
    atoms: list[int | str]
    masses: Any


class _Declared:
    """Base class of declared distributions, whose fields are numbers, texts, and lists of these."""

    kind: ClassVar[str]

    def to_data(self) -> LawData:
        """Return the distribution as JSON data."""
        return cast("LawData", {"kind": self.kind, **vars(self)})


class _Gaussian:
    """Standard Gaussian distribution, defined here because importing scipy.stats takes a second."""

    def cdf(self, x: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(x), dtype=np.float64)

    def ppf(self, u: float) -> float:
        return NormalDist().inv_cdf(u)

    def rvs(self, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
        return rng.standard_normal(size)


class _Laplace:
    """Standard Laplace distribution, defined here because importing scipy.stats takes a second."""

    def cdf(self, x: Floats) -> Floats:
        half = 0.5 * np.exp(-np.abs(x))
        return np.where(x < 0, half, 1 - half)

    def ppf(self, u: float) -> float:
        return math.log(2 * u) if u < 0.5 else -math.log(2 * (1 - u))

    def rvs(self, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
        return rng.laplace(size=size)


#: the distribution of the noise Z in each family of a `Law`. The function
#: `statistics.allowed_repeats`, which bounds how many equal answers occur by chance, requires that
#: the density g of Z satisfies g(z) <= 4 and abs(z) g(z) <= 4
FAMILIES: Final[Mapping[str, _Gaussian | _Laplace]] = {"norm": _Gaussian(), "laplace": _Laplace()}


@dataclass(frozen=True)
class Law(_Declared):
    """A continuous distribution of independent coordinates ``loc + scale * Z`` with noise Z.

    Parameters
    ----------
    family
        ``"norm"`` or ``"laplace"``.
    loc, scale
        Location and scale: numbers, or arrays of the shape of an answer, with an entry for each
        coordinate. scale > 0.
    shared
        Whether one draw of Z is added to all coordinates, as in a typical wrong mechanism. It must
        be False for the right distribution of a check.

    Examples
    --------
    >>> Law("norm", loc=[1.0, 2.0], scale=3.0).shape
    (2,)
    """

    kind = "continuous"

    family: str
    loc: Any = 0.0
    scale: Any = 1.0
    shared: bool = False

    def __post_init__(self) -> None:
        words = _("must be one of {names}", names=", ".join(FAMILIES))
        require.that(self.family in FAMILIES, "family", words, self.family)
        loc = np.asarray(self.loc, dtype=np.float64)
        scale = np.asarray(self.scale, dtype=np.float64)
        require.that(np.all(np.isfinite(loc)), "loc", require.within(_check.FINITE), self.loc)
        positive = np.all(np.isfinite(scale) & (scale > 0))
        require.that(positive, "scale", require.within(_check.POSITIVE), self.scale)
        np.broadcast_shapes(loc.shape, scale.shape)
        vars(self).update(loc=loc.tolist(), scale=scale.tolist(), shared=bool(self.shared))

    @property
    def standard(self) -> _Gaussian | _Laplace:
        """The distribution of Z in ``loc + scale * Z``."""
        return FAMILIES[self.family]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return np.broadcast_shapes(np.shape(self.loc), np.shape(self.scale))

    def noise(self, answers: Floats) -> Floats:
        """Return the noise Z in answers: a row for each call, and a column for each coordinate."""
        with np.errstate(over="ignore"):
            z = (answers - np.asarray(self.loc)) / np.asarray(self.scale)
        return np.asarray(z.reshape(len(answers), -1), dtype=np.float64)

    def ranks(self, noise: Floats) -> Floats:
        """Return, for each given value, the probability that the noise Z is smaller than it."""
        return np.clip(self.standard.cdf(noise), 0.0, 1.0)

    def draw(self, calls: int, rng: np.random.Generator) -> Floats:
        """Return `calls` independent answers, drawn from the distribution."""
        size = (calls,) + ((1,) * len(self.shape) if self.shared else self.shape)
        answers = np.asarray(self.loc) + np.asarray(self.scale) * self.standard.rvs(size, rng)
        return np.array(np.broadcast_to(answers, (calls, *self.shape)), dtype=np.float64)


@dataclass(frozen=True)
class DiscreteLaplace(_Declared):
    """A distribution of independent integers ``loc + Z`` with discrete Laplace noise Z.

    P(Z = z) is proportional to e^(-abs(z)/scale). Answers must have an integer type of Python or
    numpy; 3.0 is not allowed.

    Parameters
    ----------
    scale
        In (0, 10,000].
    loc
        An integer, or an array of integers of the shape of an answer, with an entry for each
        coordinate; at most 2^53 in absolute value.
    shared
        Whether one draw of Z is added to all coordinates, as in a typical wrong mechanism. It must
        be False for the right distribution of a check.

    Examples
    --------
    >>> table = read(DiscreteLaplace(2.0, loc=[3, 4]).to_data())
    >>> table.shape, len(table.masses[0])
    ((2,), 187)
    """

    kind = "integers"

    scale: float
    loc: Any = 0
    shared: bool = False

    def __post_init__(self) -> None:
        scale = require.number("scale", self.scale, _SCALE)
        loc = np.asarray(self.loc)
        short = loc.dtype.kind in "iu" and np.all(np.abs(loc.astype(np.float64)) <= 2.0**53)
        words = _("must hold integers of at most 2^53 in absolute value")
        require.that(short, "loc", words, self.loc)
        vars(self).update(loc=loc.tolist(), scale=scale, shared=bool(self.shared))


@dataclass(frozen=True)
class Categorical(_Declared):
    """A distribution of independent choices among a few answers.

    Parameters
    ----------
    atoms
        The possible answers: different integers (1 and 0, not True and False), or different
        strings. If a mechanism returns True or False, it counts as 1 or 0.
    masses
        The probabilities of the atoms, which sum to 1; for a vector of answers, a row for each
        coordinate. A right mechanism never returns an atom of probability 0.

    Examples
    --------
    Randomized response to two bits, each of which is kept with probability 3/4:

    >>> kept = Categorical([0, 1], [[0.25, 0.75] if bit else [0.75, 0.25] for bit in [0, 1]])
    >>> read(kept.to_data()).shape
    (2,)
    """

    kind = "categories"

    atoms: Sequence[int | str]
    masses: Any

    def __post_init__(self) -> None:
        many = isinstance(self.atoms, Sequence) and not isinstance(self.atoms, str)
        words = _("must be at least two different integers, or different strings")
        require.that(many, "atoms", words, self.atoms)
        plain = [reduce(atom) for atom in self.atoms]
        unlike = {type(atom) for atom in plain} in ({int}, {str}) and len(set(plain)) == len(plain)
        require.that(unlike and len(plain) > 1, "atoms", words, self.atoms)
        masses = np.asarray(self.masses, dtype=np.float64)
        whole = masses.ndim and masses.shape[-1] == len(plain)
        words = _("must have one probability for each of {count} atoms", count=len(plain))
        require.that(whole, "masses", words, self.masses)
        right = np.all(masses >= 0) and np.all(np.abs(masses.sum(axis=-1) - 1) <= 1e-9)
        words = _("must be >= 0 and sum to 1 for each coordinate")
        require.that(right, "masses", words, self.masses)
        masses = masses / masses.sum(axis=-1, keepdims=True)
        vars(self).update(atoms=plain, masses=masses.tolist())


@dataclass(frozen=True)
class Table:
    """A discrete distribution of independent coordinates, as a matrix of probabilities.

    A row of the matrix is the distribution of one or more coordinates. A column belongs to one
    possible answer: one of `atoms`, or an integer.

    Attributes
    ----------
    shape
        The shape of one answer.
    masses
        The matrix of probabilities. Each row sums to 1.
    row
        For each coordinate, the index of the row with its probabilities.
    start
        For integers: for each coordinate, the answer that the first column stands for. None for
        categories.
    first
        For integers, which are a true value plus noise: the noise that the first column stands for.
    atoms
        For categories: the answer of each column.
    shared
        Whether the same draw of noise is added to all coordinates, so that they are not
        independent.
    """

    shape: tuple[int, ...]
    masses: Floats
    row: Integers
    start: Integers | None = None
    first: int = 0
    atoms: tuple[Any, ...] = ()
    shared: bool = False

    @property
    def width(self) -> int:
        """The number of columns of `masses`."""
        return int(self.masses.shape[1])

    def columns(self, answers: Any) -> Integers:
        """Return for each answer the index of the column with its probability.

        In a table of integers, an integer above those of all columns gets the index `width`. Any
        other answer that has no column gets -1.
        """
        answers = np.asarray(answers, dtype=object).ravel()
        if self.start is None:
            number = {atom: i for i, atom in enumerate(self.atoms)}
            found = [number.get(answer, -1) for answer in answers]
            return np.array(found, dtype=np.int64).reshape(-1, self.row.size)
        low, high = self.start - 1, self.start + self.width
        try:
            integers = np.array(answers, dtype=np.int64)
        # an integer has more than 64 bits, so it lies outside of every table
        except OverflowError:
            least, most = int(low.min()), int(high.max())
            integers = np.array([min(max(x, least), most) for x in answers], dtype=np.int64)
        # clip before the subtraction, because the difference may not fit into 64 bits
        return np.clip(integers.reshape(-1, self.row.size), low, high) - self.start

    def cumulated(self) -> Floats:
        """Return for each row the sum of the probabilities before each column, followed by a 1."""
        table = np.zeros((len(self.masses), self.width + 1))
        np.cumsum(self.masses, axis=1, out=table[:, 1:])
        table[:, -1] = 1.0
        return np.minimum(table, 1.0)

    def ranks(self, columns: Integers, rng: np.random.Generator) -> Floats:
        """Return a random rank in [0, 1] for each answer, given the index of its column.

        The rank of an answer x is uniform between P(answer < x) and P(answer <= x). So the ranks of
        answers that have this distribution are uniform on [0, 1].
        """
        table = self.cumulated()
        below, above = table[self.row, columns], table[self.row, columns + 1]
        return np.asarray(below + rng.random(columns.shape) * (above - below), dtype=np.float64)

    def draw(self, calls: int, rng: np.random.Generator) -> Any:
        """Return `calls` independent answers, drawn from the distribution, as nested lists."""
        table = self.cumulated()
        u = np.broadcast_to(
            rng.random((calls, 1 if self.shared else self.row.size)), (calls, self.row.size)
        )
        columns = np.empty(u.shape, dtype=np.int64)
        for r, below in enumerate(table):
            mine = self.row == r
            columns[:, mine] = np.searchsorted(below[1:-1], u[:, mine], side="right")
        if self.start is not None:
            return (columns + self.start).reshape(-1, *self.shape).tolist()
        return np.array(self.atoms, dtype=object)[columns].reshape(-1, *self.shape).tolist()


def read(law: LawData) -> Law | Table:
    """Return the distribution that a method ``to_data`` converted to JSON data.

    Examples
    --------
    >>> read(Categorical(["no", "yes"], [0.25, 0.75]).to_data()).masses.tolist()
    [[0.25, 0.75]]
    """
    if law["kind"] == "continuous":
        return Law(law["family"], law["loc"], law["scale"], law["shared"])
    if law["kind"] == "categories":
        masses = np.asarray(law["masses"], dtype=np.float64)
        rows, row = np.unique(masses.reshape(-1, masses.shape[-1]), axis=0, return_inverse=True)
        row = np.asarray(row, dtype=np.int64).ravel()
        return Table(masses.shape[:-1], rows, row, atoms=tuple(law["atoms"]))
    # the table leaves out the probability P(|Z| > reach) < e^(-reach/scale) <= BEYOND
    loc = np.asarray(law["loc"], dtype=np.int64)
    reach = max(1, math.ceil(-law["scale"] * math.log(BEYOND)))
    weights = np.exp(-np.abs(np.arange(-reach, reach + 1)) / law["scale"])
    return Table(
        shape=loc.shape,
        masses=(weights / weights.sum())[np.newaxis],
        row=np.zeros(loc.size, dtype=np.int64),
        start=loc.ravel() - reach,
        first=-reach,
        shared=law["shared"],
    )
