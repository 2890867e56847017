"""Checks of mechanisms: functions whose right answer is a law, not a number.

The function is called many times, and its answers are held against the law with tests that fail
a right mechanism with a probability that is proved (`dpteach.grading.statistics`).
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpteach.grading.declare import FALSE_ALARM, Case, _Declared, _function, _matching
from dpteach.grading.plain import encode, shown
from dpteach.grading.statistics import draw, findings, fits

#: numbers drawn per case of a random check, in at most so many calls
DRAWS = 50_000
MAX_CALLS = 20_000

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
        _matching("family", self.family, _FAMILY, "the name of a law in scipy.stats")
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
            "family": self.family,
            "loc": encode(np.asarray(self.loc, dtype=np.float64).tolist()),
            "scale": encode(np.asarray(self.scale, dtype=np.float64).tolist()),
            "parameters": encode(dict(self.parameters))["dict"],
            "shared": bool(self.shared),
        }


@dataclass(frozen=True, kw_only=True)
class RandomCheck(_Declared):
    """A mechanism: its right answer is a law.

    The function is called many times with one ``numpy.random.Generator``, given by the keyword
    ``rng``. Judged are shape, law, independence of coordinates and calls, both tails, repeated
    values, and that the answer depends on nothing but the arguments and the generator. A right
    mechanism is failed with probability at most 1e-9 by the check as a whole.

    Parameters
    ----------
    name, points, call, visible, hidden, mistakes, builds_on, book
        As for `Check`; a mistake returns the wrong `Law`.
    law
        A function of a case's arguments that returns the right `Law`.
    draws
        How many numbers to draw per case, at least 1,000; a vector with few entries gets fewer,
        for there are at most 20,000 calls.
    """

    law: Callable[..., Law]
    draws: int = DRAWS

    def __post_init__(self) -> None:
        super().__post_init__()
        _function("law", self.law)
        if isinstance(self.draws, bool) or not isinstance(self.draws, int):
            raise TypeError(f"draws must be an integer >= 1000, got draws={shown(self.draws)}")
        if self.draws < 1000:
            raise ValueError(f"draws must be an integer >= 1000, got draws={self.draws}")
        if any(case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("raises must not be given in a RandomCheck: use a Check for errors")


def random_part(check: RandomCheck, hidden: bool, caught: list[bool]) -> dict[str, Any]:
    """What is particular to one part (visible or hidden) of a `RandomCheck`, as JSON data.

    Parameters
    ----------
    check
        The declaration.
    hidden
        Which part.
    caught
        One entry a mistake, set to True if a case of this part catches it.

    Raises
    ------
    TypeError, ValueError
        If a law is not a `Law`, or the right one shares noise between coordinates.
    """
    group = check.hidden if hidden else check.visible
    return {
        "seed": zlib.crc32(f"{check.name} {hidden}".encode()),
        "false_alarm": FALSE_ALARM / (len(check.visible) + len(check.hidden)),
        "cases": [_random_case(check, case, caught) for case in group],
    }


def _random_case(check: RandomCheck, case: Case, caught: list[bool]) -> dict[str, Any]:
    law = check.law(*case.args, **case.kwargs)
    if not isinstance(law, Law):
        raise TypeError(f"law must return a Law, got {shown(law)}")
    if law.shared:
        raise ValueError(f"law: the right law of {check.name} must have independent coordinates")
    calls = min(MAX_CALLS, math.ceil(check.draws / max(1, math.prod(law.shape))))
    wrongs: list[Any] = []
    for i, mistake in enumerate(check.mistakes):
        other = mistake.wrong(*case.args, **case.kwargs)
        if not isinstance(other, Law):
            raise TypeError(f"wrong must return a Law, got {shown(other)}: {mistake.message!r}")
        if other.to_data() == law.to_data():
            wrongs.append(None)
            continue
        sample = draw(other.to_data(), calls, np.random.default_rng(i))
        found = findings(sample, law.to_data(), FALSE_ALARM) is not None
        wrongs.append(other.to_data())
        caught[i] = caught[i] or (found and fits(sample, other.to_data()))
    return {
        "args": [encode(arg) for arg in case.args],
        "kwargs": encode(case.kwargs)["dict"],
        "words": case.words,
        "calls": calls,
        "law": law.to_data(),
        "mistakes": wrongs,
    }
