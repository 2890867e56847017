r"""Distributions ("laws") of random answers: declared, as data, and as what the tests need of them.

`read` makes of the data an object that turns answers into *ranks*: numbers u that are independent
and uniform on [0, 1] exactly when the distribution is right.

- Continuous: :math:`u = F(x)`.
- Discrete: :math:`u = F(x^-) + V (F(x) - F(x^-))` with a V of the grader's own, uniform on [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from dpteach import _check
from dpteach.grading.core.plain import decode, encode, reduce, shown
from dpteach.grading.kinds import require

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

#: the table of an integer law ends where less than this is left on each side: in 10^6 draws an
#: answer beyond has a probability below 10^-14
BEYOND: Final = 1e-20

#: the largest scale of an integer law: its table stays small
LARGEST_SCALE: Final = 10_000

_SCALE: Final = _check.Domain(f"in (0, {LARGEST_SCALE}]", lambda x: 0 < x <= LARGEST_SCALE)


class ContinuousData(TypedDict):
    """A `Law` as data. No family has further parameters."""

    kind: Literal["continuous"]
    family: str
    loc: Any
    scale: Any
    parameters: dict[str, float]
    shared: bool


class IntegerData(TypedDict):
    """A `DiscreteLaw` as data."""

    kind: Literal["integers"]
    family: str
    loc: Any
    parameters: dict[str, float]
    shared: bool


class CategoryData(TypedDict):
    """A `Categorical` as data."""

    kind: Literal["categories"]
    atoms: list[int | str]
    masses: Any


LawData: TypeAlias = ContinuousData | IntegerData | CategoryData


class _Gaussian:
    """``scipy.stats.norm`` without the second that it takes to import scipy.stats."""

    def cdf(self, x: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(x), dtype=np.float64)

    def ppf(self, u: float) -> float:
        return NormalDist().inv_cdf(u)

    def rvs(self, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
        return rng.standard_normal(size)


class _Laplace:
    """``scipy.stats.laplace`` without that second."""

    def cdf(self, x: Floats) -> Floats:
        half = 0.5 * np.exp(-np.abs(x))
        return np.where(x < 0, half, 1 - half)

    def ppf(self, u: float) -> float:
        return math.log(2 * u) if u < 0.5 else -math.log(2 * (1 - u))

    def rvs(self, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
        return rng.laplace(size=size)


#: of a continuous law; the density per unit of scale is at most 4, and so is abs(z) times it, which
#: the test of repeats needs
FAMILIES: Final[Mapping[str, _Gaussian | _Laplace]] = {"norm": _Gaussian(), "laplace": _Laplace()}


@dataclass(frozen=True)
class Law:
    """A continuous distribution of independent coordinates, ``loc + scale * Z``, Z from a family.

    Parameters
    ----------
    family
        ``"norm"`` or ``"laplace"``.
    loc, scale
        Location and scale, a number or an array with one entry a coordinate; together they give
        the answer's shape. scale > 0.
    shared
        One draw of Z is used for all coordinates: always a mistake, and declared as one.

    Examples
    --------
    >>> Law("norm", loc=[1.0, 2.0], scale=3.0).shape
    (2,)
    """

    family: str
    loc: Any = 0.0
    scale: Any = 1.0
    shared: bool = False

    def __post_init__(self) -> None:
        _one_of("family", self.family, FAMILIES)
        loc = np.asarray(self.loc, dtype=np.float64)
        scale = np.asarray(self.scale, dtype=np.float64)
        if not np.all(np.isfinite(loc)):
            raise ValueError(f"loc must be finite, got loc={shown(self.loc)}")
        if not (np.all(np.isfinite(scale)) and np.all(scale > 0)):
            raise ValueError(f"scale must be finite and > 0, got scale={shown(self.scale)}")
        np.broadcast_shapes(loc.shape, scale.shape)

    @property
    def standard(self) -> _Gaussian | _Laplace:
        """The distribution of Z."""
        return FAMILIES[self.family]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return np.broadcast_shapes(np.shape(self.loc), np.shape(self.scale))

    def to_data(self) -> ContinuousData:
        """Return the law as JSON data."""
        return {
            "kind": "continuous",
            "family": self.family,
            "loc": encode(np.asarray(self.loc, dtype=np.float64).tolist()),
            "scale": encode(np.asarray(self.scale, dtype=np.float64).tolist()),
            "parameters": {},
            "shared": bool(self.shared),
        }

    def noise(self, answers: Floats) -> Floats:
        """Return Z of each answer, one row a call, one column a coordinate."""
        with np.errstate(over="ignore"):
            z = (answers - np.asarray(self.loc)) / np.asarray(self.scale)
        return np.asarray(z.reshape(len(answers), -1), dtype=np.float64)

    def ranks(self, noise: Floats) -> Floats:
        """Return the u of each Z."""
        return np.clip(self.standard.cdf(noise), 0.0, 1.0)

    def draw(self, calls: int, rng: np.random.Generator) -> Floats:
        """Return answers drawn from the distribution, one row a call."""
        size = (calls,) + ((1,) * len(self.shape) if self.shared else self.shape)
        answers = np.asarray(self.loc) + np.asarray(self.scale) * self.standard.rvs(size, rng)
        return np.array(np.broadcast_to(answers, (calls, *self.shape)), dtype=np.float64)


@dataclass(frozen=True)
class DiscreteLaw:
    """A distribution of independent integers: ``loc + Z`` with Z from a family.

    Answers must be integers, of Python or numpy; 3.0 is none.

    Parameters
    ----------
    family
        ``"discrete_laplace"``: P(Z = z) is proportional to e^(-abs(z)/scale).
    parameters
        By name: scale, at most 10,000.
    loc
        An integer or an array of integers, one a coordinate; it gives the answer's shape.
    shared
        One draw of Z is used for all coordinates: always a mistake, and declared as one.

    Examples
    --------
    >>> law = read(DiscreteLaw("discrete_laplace", {"scale": 2.0}, loc=[3, 4]).to_data())
    >>> law.shape, len(law.masses[0])
    ((2,), 187)
    """

    family: str
    parameters: Mapping[str, float]
    loc: Any = 0
    shared: bool = False

    def __post_init__(self) -> None:
        _one_of("family", self.family, ("discrete_laplace",))
        if not isinstance(self.parameters, Mapping) or set(self.parameters) != {"scale"}:
            raise ValueError(
                f"parameters must be {{scale}} for {self.family}, "
                f"got parameters={shown(self.parameters)}"
            )
        require.number("scale", self.parameters["scale"], _SCALE)
        loc = np.asarray(self.loc)
        if loc.dtype.kind not in "iu" or np.any(np.abs(loc.astype(np.float64)) > 2.0**53):
            raise ValueError(
                f"loc must hold integers of at most 2^53 in absolute value, got {shown(self.loc)}"
            )

    def to_data(self) -> IntegerData:
        """Return the law as JSON data."""
        return {
            "kind": "integers",
            "family": self.family,
            "loc": np.asarray(self.loc).tolist(),
            "parameters": {"scale": float(self.parameters["scale"])},
            "shared": bool(self.shared),
        }


@dataclass(frozen=True)
class Categorical:
    """A distribution of independent choices among a few answers.

    Parameters
    ----------
    atoms
        The answers: different integers (1 and 0, not True and False), or different strings. In
        what a mechanism returns True and False count as 1 and 0.
    masses
        Their probabilities, summing to 1; for a vector of answers one row a coordinate. An answer
        of probability 0 must never come.

    Examples
    --------
    Randomized response to two bits, kept with probability 3/4:

    >>> kept = Categorical([0, 1], [[0.25, 0.75] if bit else [0.75, 0.25] for bit in [0, 1]])
    >>> read(kept.to_data()).shape
    (2,)
    """

    atoms: Sequence[int | str]
    masses: Any

    def __post_init__(self) -> None:
        if (
            isinstance(self.atoms, str)
            or not isinstance(self.atoms, Sequence)
            or len(self.atoms) < 2
        ):
            raise ValueError(
                f"atoms must be a list of two answers or more, got atoms={shown(self.atoms)}"
            )
        plain = [reduce(atom) for atom in self.atoms]
        if {type(atom) for atom in plain} not in ({int}, {str}) or len(set(plain)) < len(plain):
            raise ValueError(
                "atoms must be different integers or different strings, "
                f"got atoms={shown(list(self.atoms))}"
            )
        masses = np.asarray(self.masses, dtype=np.float64)
        if masses.ndim < 1 or masses.shape[-1] != len(self.atoms):
            raise ValueError(
                f"masses must have one probability for each of {len(self.atoms)} atoms, "
                f"got masses={shown(self.masses)}"
            )
        if not np.all(masses >= 0) or np.any(np.abs(masses.sum(axis=-1) - 1) > 1e-9):
            raise ValueError(
                f"masses must be >= 0 and sum to 1 for each coordinate, got {shown(self.masses)}"
            )

    def to_data(self) -> CategoryData:
        """Return the law as JSON data."""
        masses = np.asarray(self.masses, dtype=np.float64)
        return {
            "kind": "categories",
            "atoms": [reduce(atom) for atom in self.atoms],
            "masses": (masses / masses.sum(axis=-1, keepdims=True)).tolist(),
        }


def _one_of(name: str, value: object, those: Sequence[str] | Mapping[str, Any]) -> None:
    if value not in those:
        raise ValueError(f"{name} must be one of {', '.join(those)}, got {name}={shown(value)}")


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
    shared
        Whether one draw is used for all coordinates.
    """

    shape: tuple[int, ...]
    masses: Floats
    row: Integers
    start: Integers | None = None
    first: int = 0
    atoms: tuple[Any, ...] = ()
    shared: bool = False

    def columns(self, answers: Any) -> Integers:
        """Return the column of each answer; -1 below the table or for no atom, the width above."""
        width = self.masses.shape[1]
        if self.start is None:
            number = {atom: i for i, atom in enumerate(self.atoms)}
            found = [number.get(answer, -1) for answer in answers]
            return np.array(found, dtype=np.int64).reshape(-1, self.row.size)
        try:
            given = np.array(answers, dtype=np.int64)
        except OverflowError:  # beyond 64 bits, and so beyond the table
            low, high = int(self.start.min()) - 1, int(self.start.max()) + width
            given = np.array([min(max(x, low), high) for x in answers], dtype=np.int64)
        # clipped first: a difference of 64-bit numbers may have 65 bits
        given = given.reshape(-1, self.row.size)
        return np.clip(given, self.start - 1, self.start + width) - self.start

    def answers(self, columns: Integers) -> Any:
        """Return what columns stand for, as nested lists with one entry a call."""
        if self.start is not None:
            return (columns + self.start).reshape(-1, *self.shape).tolist()
        named = np.empty(len(self.atoms), dtype=object)
        named[:] = self.atoms
        return named[columns].reshape(-1, *self.shape).tolist()

    def cumulated(self) -> Floats:
        """Return the probability below each column, and 1 at the end."""
        table = np.zeros((len(self.masses), self.masses.shape[1] + 1))
        np.cumsum(self.masses, axis=1, out=table[:, 1:])
        table[:, -1] = 1.0
        return np.minimum(table, 1.0)

    def ranks(self, columns: Integers, rng: np.random.Generator) -> Floats:
        """Return the u of each column, spread evenly over the probability of its atom."""
        table = self.cumulated()
        below, above = table[self.row, columns], table[self.row, columns + 1]
        return np.asarray(below + rng.random(columns.shape) * (above - below), dtype=np.float64)

    def draw(self, calls: int, rng: np.random.Generator) -> Any:
        """Return answers drawn from the distribution, as nested lists with one entry a call."""
        table = self.cumulated()
        size = (calls, 1 if self.shared else self.row.size)
        u = np.broadcast_to(rng.random(size), (calls, self.row.size))
        found = np.empty(u.shape, dtype=np.int64)
        for r in range(len(table)):
            mine = self.row == r
            found[:, mine] = np.searchsorted(table[r, 1:-1], u[:, mine], side="right")
        return self.answers(found)


def read(law: LawData) -> Law | Discrete:
    """Return the distribution that data (a `to_data`) describe.

    Examples
    --------
    >>> law = read(Categorical(["no", "yes"], [0.25, 0.75]).to_data())
    >>> law.masses.tolist()
    [[0.25, 0.75]]
    """
    if law["kind"] == "continuous":
        return Law(law["family"], decode(law["loc"]), decode(law["scale"]), law["shared"])
    if law["kind"] == "categories":
        masses = np.asarray(law["masses"], dtype=np.float64)
        rows, row = np.unique(masses.reshape(-1, masses.shape[-1]), axis=0, return_inverse=True)
        row = np.asarray(row, dtype=np.int64).ravel()
        return Discrete(masses.shape[:-1], rows, row, atoms=tuple(law["atoms"]))
    # P(Z >= z) = e^(-z/scale) / (1 + e^(-1/scale))
    scale, loc = law["parameters"]["scale"], np.asarray(law["loc"], dtype=np.int64)
    reach = max(1, math.ceil(-scale * math.log(BEYOND)))
    weights = np.exp(-np.abs(np.arange(-reach, reach + 1)) / scale)
    return Discrete(
        shape=loc.shape,
        masses=(weights / weights.sum())[np.newaxis],
        row=np.zeros(loc.size, dtype=np.int64),
        start=loc.ravel() - reach,
        first=-reach,
        shared=law["shared"],
    )
