"""Mechanisms: functions whose right answer is a distribution, not a number.

The function is called many times. `RandomCheck` tests its answers against the distribution that
they must have: `Law` (continuous), `DiscreteLaw` (integers) or `Categorical` (a few named answers).

The tests stand in `statistics`. A right mechanism is failed by a check as a whole, all its cases
and tests together, with probability at most `FALSE_ALARM`: each case has an equal share, and of it
each test; see `promise`.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from dpteach.grading.core.observe import RANDOM_SECONDS
from dpteach.grading.core.plain import MAX_NUMBERS, shown
from dpteach.grading.core.specification import About
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.random.judge import RandomCase, RandomPart, asked, judge_random, reads
from dpteach.grading.kinds.random.laws import Categorical, DiscreteLaw, Law, LawData, read
from dpteach.grading.kinds.random.statistics import findings, fits, shares_of

#: numbers drawn per case of a random check, in so many calls at least and at most
DRAWS: Final = 50_000
MIN_CALLS: Final = 20
MAX_CALLS: Final = 20_000

AnyLaw: TypeAlias = Law | DiscreteLaw | Categorical


@dataclass(frozen=True, kw_only=True)
class RandomCheck(Declaration):
    """A mechanism: its right answer is a distribution.

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

    _refused: ClassVar[Mapping[str, str]] = {"raises": "use a Check for errors"}

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("law", self.law)
        require.integer("draws", self.draws, 1000)


def random_part(check: RandomCheck, about: About[Any], rng: np.random.Generator) -> RandomPart:
    """Return the part of a `RandomCheck`.

    Raises
    ------
    TypeError, ValueError
        If what the declaration's functions return is not what they should.
    """
    hidden, total = about["hidden"], len(check.visible) + len(check.hidden)
    cases = [_case(check, case) for case in check.group(hidden)]
    seed = zlib.crc32(f"{check.name} {hidden}".encode())
    return {
        **about,
        "kind": "random",
        "seed": int(rng.integers(2**31 - 1000)) if hidden else seed,
        "false_alarm": FALSE_ALARM / total,
        "promise": promise(total, [case["law"] for case in cases]),
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


def promise(total: int, laws: Sequence[LawData]) -> str:
    """Return the probability that a right mechanism is failed, and how it is split, in a sentence.

    Parameters
    ----------
    total
        Of how many cases, visible and hidden.
    laws
        The laws of the cases of a part.
    """
    names = dict.fromkeys(name for law in laws for name in shares_of(law))
    told = ", ".join(_LOOKED_AT[name] for name in names)
    return (
        f"A right mechanism is failed by chance with probability at most {FALSE_ALARM:g} "
        f"(shared equally by {total} case{'s' if total > 1 else ''}, visible and hidden, and in "
        f"each case by {len(names)} tests, which look at {told})."
    )


def _case(check: RandomCheck, case: Case) -> RandomCase:
    law = case.of("law", check.law)
    if not isinstance(law, AnyLaw):
        raise TypeError(f"law must return a Law, DiscreteLaw or Categorical, got {shown(law)}")
    if getattr(law, "shared", False):
        raise ValueError(f"law: the right law of {check.name} must have independent coordinates")
    if isinstance(law, Law) and np.any(np.abs(law.loc) > 1e9 * np.asarray(law.scale)):
        raise ValueError(
            "loc must be at most 1e9 times scale, or floats are too coarse for the noise, "
            f"got loc={shown(law.loc)}, scale={shown(law.scale)}"
        )
    data = law.to_data()
    size = math.prod(read(data).shape)
    if not 1 <= size <= MAX_NUMBERS // MIN_CALLS:
        raise ValueError(
            f"law must have 1 to {MAX_NUMBERS // MIN_CALLS} coordinates, got {size} of them"
        )
    wrongs: list[LawData | None] = []
    for mistake in check.mistakes:
        other = case.of("mistakes", mistake.wrong)
        if not isinstance(other, AnyLaw):
            raise TypeError(f"wrong must return a law, got {shown(other)}: {mistake.message!r}")
        wrong = other.to_data()
        wrongs.append(None if wrong == data else wrong)
    return {
        **case.to_data(),
        "calls": min(MAX_CALLS, max(MIN_CALLS, math.ceil(check.draws / size))),
        "labels": not isinstance(law, Law),
        "law": data,
        "mistakes": wrongs,
    }


def caught(part: RandomPart) -> list[bool]:
    """Return for each mistake whether a sample of its law fails some case and is recognised."""
    return [
        any(_catches(case, i, part["false_alarm"]) for case in part["cases"])
        for i in range(len(part["messages"]))
    ]


def _catches(case: RandomCase, i: int, false_alarm: float) -> bool:
    law, other = case["law"], case["mistakes"][i]
    if other is None:
        return False
    if law["kind"] != other["kind"] or read(law).shape != read(other).shape:
        return True  # by the kind or the shape of its answers
    sample = read(other).draw(case["calls"], np.random.default_rng(i))
    return findings(sample, law, false_alarm) is not None and fits(sample, other)


KIND = Kind(
    name="random",
    title="mechanism",
    minutes=8,
    declaration=RandomCheck,
    words=(Law, DiscreteLaw, Categorical),
    part=random_part,
    caught=caught,
    judged=each(judge_random),
    called=reads,
    asked=asked,
    seconds=lambda part: 5.0 + RANDOM_SECONDS * len(part["cases"]),
)
