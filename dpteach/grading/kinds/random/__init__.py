"""Checks of mechanisms: functions whose right answer is a law, not a number.

The function is called many times. `RandomCheck` holds its answers against the law that they must
have: `Law` (continuous), `DiscreteLaw` (integers) or `Categorical` (a few named answers).

The tests stand in `statistics`. A right mechanism is failed by a check as a whole, all its cases
and tests together, with probability at most `FALSE_ALARM`: each case has an equal share, and of it
each test; see `promise`.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from dpteach.grading.core.plain import MAX_NUMBERS, encode, reduce, shown
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration
from dpteach.grading.kinds.random.laws import INTEGER_FAMILIES, LARGEST_SCALE, Continuous, read
from dpteach.grading.kinds.random.statistics import draw, findings, fits, shares_of

#: numbers drawn per case of a random check, in so many calls at least and at most
DRAWS: Final = 50_000
MIN_CALLS: Final = 20
MAX_CALLS: Final = 20_000

_FAMILY = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Law:
    """A continuous law of independent coordinates: ``loc + scale * Z`` with Z from a family.

    Parameters
    ----------
    family
        The name of a continuous law in ``scipy.stats``, as ``"norm"`` or ``"laplace"``.
    loc, scale
        Location and scale, a number or an array with one entry a coordinate; together they give
        the answer's shape. scale > 0.
    parameters
        The family's shape parameters.
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
    parameters: dict[str, float] = field(default_factory=dict)
    shared: bool = False

    def __post_init__(self) -> None:
        require.matching("family", self.family, _FAMILY, "the name of a law in scipy.stats")
        loc = np.asarray(self.loc, dtype=np.float64)
        scale = np.asarray(self.scale, dtype=np.float64)
        if not np.all(np.isfinite(loc)):
            raise ValueError(f"loc must be finite, got loc={shown(self.loc)}")
        if not (np.all(np.isfinite(scale)) and np.all(scale > 0)):
            raise ValueError(f"scale must be finite and > 0, got scale={shown(self.scale)}")
        np.broadcast_shapes(loc.shape, scale.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return np.broadcast_shapes(np.shape(self.loc), np.shape(self.scale))

    def to_data(self) -> dict[str, Any]:
        """The law as JSON data."""
        return {
            "kind": "continuous",
            "family": self.family,
            "loc": encode(np.asarray(self.loc, dtype=np.float64).tolist()),
            "scale": encode(np.asarray(self.scale, dtype=np.float64).tolist()),
            "parameters": encode(dict(self.parameters))["dict"],
            "shared": bool(self.shared),
        }


@dataclass(frozen=True)
class DiscreteLaw:
    """A law of independent integers: ``loc + Z`` with Z from a family.

    Answers must be integers, of Python or numpy; 3.0 is none.

    Parameters
    ----------
    family
        ``"discrete_laplace"`` (parameter scale: P(Z = z) is proportional to e^(-abs(z)/scale)),
        ``"discrete_gaussian"`` (sigma: proportional to e^(-z^2/(2 sigma^2))), ``"geometric"``
        (p: failures before the first success, from 0) or ``"binomial"`` (n, p).
    parameters
        By name; scale, sigma and n at most 10,000.
    loc
        An integer or an array of integers, one a coordinate; it gives the answer's shape.
    shared
        One draw of Z is used for all coordinates: always a mistake, and declared as one.

    Examples
    --------
    >>> DiscreteLaw("discrete_laplace", {"scale": 2.0}, loc=[3, 4]).shape
    (2,)
    """

    family: str
    parameters: Mapping[str, float]
    loc: Any = 0
    shared: bool = False

    def __post_init__(self) -> None:
        if self.family not in INTEGER_FAMILIES:
            names = ", ".join(INTEGER_FAMILIES)
            raise ValueError(f"family must be one of {names}, got family={shown(self.family)}")
        wanted = INTEGER_FAMILIES[self.family]
        if not isinstance(self.parameters, Mapping) or set(self.parameters) != set(wanted):
            raise ValueError(
                f"parameters must be {{{', '.join(wanted)}}} for {self.family}, "
                f"got parameters={shown(self.parameters)}"
            )
        for name, value in self.parameters.items():
            most = 1 if name == "p" else LARGEST_SCALE
            number = require.number(name, value, f"in (0, {most}]", above=0.0, included=False)
            if number > most or (name == "n" and number != int(number)):
                kind = "an integer " if name == "n" else ""
                raise ValueError(f"{name} must be {kind}in (0, {most}], got {name}={shown(value)}")
        loc = np.asarray(self.loc)
        if loc.dtype.kind not in "iu" or np.any(np.abs(loc.astype(np.float64)) > 2.0**53):
            raise ValueError(
                f"loc must hold integers of at most 2^53 in absolute value, got {shown(self.loc)}"
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return np.shape(self.loc)

    def to_data(self) -> dict[str, Any]:
        """The law as JSON data."""
        return {
            "kind": "integers",
            "family": self.family,
            "loc": np.asarray(self.loc).tolist(),
            "parameters": {name: float(value) for name, value in self.parameters.items()},
            "shared": bool(self.shared),
        }


@dataclass(frozen=True)
class Categorical:
    """A law of independent choices among a few answers.

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

    >>> Categorical([0, 1], [[0.25, 0.75] if bit else [0.75, 0.25] for bit in [0, 1]]).shape
    (2,)
    """

    atoms: Sequence[int | str]
    masses: Any

    def __post_init__(self) -> None:
        _atoms(self.atoms)
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

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one answer."""
        return tuple(np.shape(self.masses)[:-1])

    def to_data(self) -> dict[str, Any]:
        """The law as JSON data."""
        masses = np.asarray(self.masses, dtype=np.float64)
        return {
            "kind": "categories",
            "atoms": [reduce(atom) for atom in self.atoms],
            "masses": (masses / masses.sum(axis=-1, keepdims=True)).tolist(),
        }


AnyLaw = Law | DiscreteLaw | Categorical


def _atoms(atoms: object) -> None:
    if isinstance(atoms, str) or not isinstance(atoms, Sequence) or len(atoms) < 2:
        raise ValueError(f"atoms must be a list of two answers or more, got atoms={shown(atoms)}")
    plain = [reduce(atom) for atom in atoms]
    kinds = {type(atom) for atom in plain}
    if kinds not in ({int}, {str}) or len(set(plain)) < len(plain):
        raise ValueError(
            f"atoms must be different integers or different strings, got atoms={shown(list(atoms))}"
        )


def _at_least_1000(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer >= 1000, got {name}={shown(value)}")
    if value < 1000:
        raise ValueError(f"{name} must be an integer >= 1000, got {name}={value}")


@dataclass(frozen=True, kw_only=True)
class RandomCheck(Declaration):
    """A mechanism: its right answer is a law.

    The function is called many times with a ``numpy.random.Generator``, given by the keyword
    ``rng``, and for some seeds again later: what the generator does not determine is found out.

    Judged are support, law, centre, width, both tails, independence of coordinates and of calls,
    exact repetitions, and that the answer depends on nothing but the arguments and the generator.

    Parameters
    ----------
    name, points, call, visible, hidden, mistakes, builds_on, book
        As for `Check`; a mistake returns the wrong law.
    law
        A function of a case's arguments that returns the right `Law`, `DiscreteLaw` or
        `Categorical`.
    draws
        How many numbers to draw per case, at least 1,000; a vector with few entries gets fewer
        and a long one more, for there are 20 to 20,000 calls.
    """

    law: Callable[..., AnyLaw]
    draws: int = DRAWS

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(case.raises for case in (*self.visible, *self.hidden)):
            kind = type(self).__name__
            raise ValueError(f"raises must not be given in a {kind}: use a Check for errors")
        require.function("law", self.law)
        _at_least_1000("draws", self.draws)


def random_part(
    check: RandomCheck, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    """What is particular to one part (visible or hidden) of a `RandomCheck`, as JSON data.

    Parameters
    ----------
    check
        The declaration; its hidden cases are drawn already.
    hidden
        Which part.
    caught
        One entry a mistake, set to True if a case of this part catches it.
    rng
        A generator that belongs to the check and the exam.

    Raises
    ------
    TypeError, ValueError
        If what the declaration's functions return is not what they should.
    """
    group = check.hidden if hidden else check.visible
    false_alarm = FALSE_ALARM / (len(check.visible) + len(check.hidden))
    cases = [_random_case(check, case, false_alarm, caught) for case in group]
    seed = zlib.crc32(f"{check.name} {hidden}".encode())
    return {
        "kind": "random",
        "seed": int(rng.integers(2**31 - 1000)) if hidden else seed,
        "false_alarm": false_alarm,
        "promise": promise(len(check.visible) + len(check.hidden), cases),
        "cases": cases,
    }


#: what the tests of `statistics` look at, in words for students
_LOOKED_AT: Final = {
    "law": "all answers together",
    "centre": "their centre",
    "width": "their spread",
    "coordinates": "whether the entries of an answer depend on each other",
    "calls": "whether one call depends on another",
    "low tail": "the lowest answers",
    "high tail": "the highest answers",
    "repeats": "answers that come again exactly",
    "atoms": "how often each answer comes",
    "matches": "how often two answers are equal",
}


def promise(total: int, cases: Sequence[Mapping[str, Any]]) -> str:
    """The probability that a right mechanism is failed, and how it is split, in a sentence.

    Parameters
    ----------
    total
        Of how many cases, visible and hidden.
    cases
        The cases of a part, as data.
    """
    split = f"shared equally by {total} case{'s' if total > 1 else ''}"
    if not cases:
        tests = "in each case by its tests"
    else:
        names = dict.fromkeys(name for case in cases for name in shares_of(case["law"]))
        told = ", ".join(_LOOKED_AT[name] for name in names)
        tests = f"in each case by {len(names)} tests, which look at {told}"
    return (
        f"A right mechanism is failed by chance with probability at most {FALSE_ALARM:g} "
        f"({split}, visible and hidden, and {tests})."
    )


def _arguments(case: Case) -> dict[str, Any]:
    return {
        "args": [encode(arg) for arg in case.args],
        "kwargs": encode(case.kwargs)["dict"],
        "words": case.words,
    }


def _of(name: str, function: Callable[..., Any], case: Case) -> Any:
    """What a function of the declaration says about a case."""
    try:
        return function(*case.args, **case.kwargs)
    except Exception as error:
        raise ValueError(f"{name}: {type(error).__name__}: {error}, on {case}") from error


def _random_case(
    check: RandomCheck, case: Case, false_alarm: float, caught: list[bool]
) -> dict[str, Any]:
    law = _of("law", check.law, case)
    if not isinstance(law, AnyLaw):
        raise TypeError(f"law must return a Law, DiscreteLaw or Categorical, got {shown(law)}")
    if getattr(law, "shared", False):
        raise ValueError(f"law: the right law of {check.name} must have independent coordinates")
    if isinstance(law, Law):
        _smooth(law)
    size = math.prod(law.shape)
    if not 1 <= size <= MAX_NUMBERS // MIN_CALLS:
        raise ValueError(
            f"law must have 1 to {MAX_NUMBERS // MIN_CALLS} coordinates, got {size} of them"
        )
    calls = min(MAX_CALLS, max(MIN_CALLS, math.ceil(check.draws / size)))
    wrongs: list[Any] = []
    for i, mistake in enumerate(check.mistakes):
        other = _of("mistakes", mistake.wrong, case)
        if not isinstance(other, AnyLaw):
            raise TypeError(f"wrong must return a law, got {shown(other)}: {mistake.message!r}")
        if other.to_data() == law.to_data():
            wrongs.append(None)
            continue
        wrongs.append(other.to_data())
        caught[i] = caught[i] or _catches(law, other, calls, false_alarm, i)
    return {
        **_arguments(case),
        "calls": calls,
        "labels": not isinstance(law, Law),
        "law": law.to_data(),
        "mistakes": wrongs,
    }


def _catches(law: AnyLaw, other: AnyLaw, calls: int, false_alarm: float, seed: int) -> bool:
    """Whether a sample of another law fails and is recognised."""
    sample = draw(other.to_data(), calls, np.random.default_rng(seed))
    if type(law) is not type(other) or law.shape != other.shape:
        return True  # by the kind or the shape of its answers
    found = findings(sample, law.to_data(), false_alarm) is not None
    return found and fits(sample, other.to_data())


def _smooth(law: Law) -> None:
    """Refuses what the tests' proofs do not cover: peaked densities, and floats too coarse."""
    found = read(law.to_data())
    assert isinstance(found, Continuous)
    places = np.array([found.standard.ppf(u) for u in np.linspace(0.0005, 0.9995, 1000)])
    density = np.asarray(found.standard.pdf(places), dtype=np.float64)
    if not np.all(density * np.maximum(1, np.abs(places)) <= 4):
        raise ValueError(
            f"family must have a density of at most 4 per unit of scale, got {law.family!r} with "
            f"parameters {shown(law.parameters)}"
        )
    if np.any(np.abs(found.loc) > 1e9 * found.scale):
        raise ValueError(
            "loc must be at most 1e9 times scale, or floats are too coarse for the noise, "
            f"got loc={shown(law.loc)}, scale={shown(law.scale)}"
        )
