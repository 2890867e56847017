"""Mechanisms: functions whose right answer is a distribution instead of a number.

The student's function is called many times, and a `RandomCheck` tests its answers against the
distribution that they must have: a `Law` (continuous), a `DiscreteLaplace` (integers) or a
`Categorical` (a few answers). The tests are in `statistics`. All cases and tests of a check
together fail a right mechanism with probability at most `FALSE_ALARM`. This probability is divided
equally among the cases, and for each case among its tests; `promise` states it to the student.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.observe import RANDOM_SECONDS
from dpteach.grading.core.plain import MAX_NUMBERS
from dpteach.grading.core.reasons import enumerated
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration, Mistake
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.random.distributions import (
    Categorical,
    DiscreteLaplace,
    Law,
    LawData,
    read,
)
from dpteach.grading.kinds.random.judge import RandomCase, RandomPart, asked, judge_random, reads
from dpteach.grading.kinds.random.statistics import TESTS, findings, fits

_, _n = catalog("kinds")

#: for each case: how many numbers a mechanism must by default return in all calls together, and the
#: smallest and largest number of calls
DRAWS: Final = 50_000
MIN_CALLS: Final = 20
MAX_CALLS: Final = 20_000

AnyLaw: TypeAlias = Law | DiscreteLaplace | Categorical


@dataclass(frozen=True, kw_only=True)
class RandomCheck(Declaration):
    """A check of a mechanism: a random function whose answers must have the distribution `law`.

    The function is called many times with a ``numpy.random.Generator`` as its keyword ``rng``. For
    some seeds, the function is called again later and must return the same answers, because only
    the arguments and the generator may determine an answer. The answers are then tested for
    impossible and repeated values, for the shape, centre, width and tails of their distribution,
    and for dependence between the entries of an answer.

    Parameters
    ----------
    name, points, call, visible, hidden, mistakes, builds_on, book
        As for `Check`; a mistake returns a wrong distribution, whose answers have the same shape
        and types as right answers.
    law
        A function of a case's arguments that returns the right distribution: a `Law`, a
        `DiscreteLaplace` or a `Categorical`.
    draws
        How many numbers the function should return for each case in all calls together, at least
        1,000. The number of calls is between 20 and 20,000, so functions that return one number
        yield fewer numbers, and functions that return very long arrays yield more.
    """

    law: Callable[..., AnyLaw]
    draws: int = DRAWS

    _refused: ClassVar[Mapping[str, str]] = {"raises": N_("use a Check for errors")}

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("law", self.law)
        require.integer("draws", self.draws, 1000)


def random_part(check: RandomCheck, about: Part[Any], rng: np.random.Generator) -> RandomPart:
    """Return the data by which the visible or the hidden cases of a check are graded.

    Raises
    ------
    TypeError, ValueError
        If a function that the check declares, such as `law`, raises an error or returns an
        unsuitable value.
    """
    hidden, total = about["hidden"], len(check.visible) + len(check.hidden)
    cases = [_case(check, case) for case in check.group(hidden)]
    seed = zlib.crc32(f"{check.name} {hidden}".encode())
    return {
        **about,
        "seed": int(rng.integers(2**31 - 1000)) if hidden else seed,
        "false_alarm": FALSE_ALARM / total,
        "promise": promise([case["law"] for case in cases]),
        "cases": cases,
    }


#: for each test of `statistics`, a text that tells students which property of the answers is
#: tested
_LOOKED_AT: Final = {
    "law": N_("all answers together"),
    "centre": N_("their center"),
    "width": N_("their spread"),
    "coordinates": N_("whether the entries of an answer depend on each other"),
    "low tail": N_("the lowest answers"),
    "high tail": N_("the highest answers"),
    "repeats": N_("answers that repeat exactly"),
    "atoms": N_("how often each answer comes"),
}


def promise(laws: Sequence[LawData]) -> str:
    """Return sentences on a check's false-alarm probability, and on the tested properties.

    Parameters
    ----------
    laws
        The distributions of the cases of a part.
    """
    names = dict.fromkeys(name for law in laws for name in TESTS[law["kind"]])
    subjects = [_LOOKED_AT[name] for name in names]
    return _(
        "A right mechanism fails by chance with probability at most {level:g}. The check looks at "
        "{subjects}.",
        level=FALSE_ALARM,
        subjects=enumerated([_(subject) for subject in subjects]),
    )


def _case(check: RandomCheck, case: Case) -> RandomCase:
    law = case.of("law", check.law)
    words = _("Law(...), DiscreteLaplace(...) or Categorical(...)")
    require.returned(isinstance(law, AnyLaw), "law", words, law, TypeError)
    shared = getattr(law, "shared", False)
    require.returned(not shared, "law", _("a law of independent coordinates"), law)
    coarse = isinstance(law, Law) and np.any(np.abs(law.loc) > 1e9 * np.asarray(law.scale))
    words = _("loc of at most 1e9 times scale, as floats are too coarse for the noise otherwise")
    require.returned(not coarse, "law", words, law)
    data = law.to_data()
    size, most = math.prod(read(data).shape), MAX_NUMBERS // MIN_CALLS
    require.returned(1 <= size <= most, "law", _("1 to {most} coordinates", most=most), size)
    mistakes = [_wrong(mistake, case, law) for mistake in check.mistakes]
    return {
        **case.to_data(),
        "calls": min(MAX_CALLS, max(MIN_CALLS, math.ceil(check.draws / size))),
        "labels": not isinstance(law, Law),
        "law": data,
        "mistakes": [None if wrong == data else wrong for wrong in mistakes],
    }


def _wrong(mistake: Mistake, case: Case, law: AnyLaw) -> LawData:
    """Return a mistake's distribution, after a check that its answers have the right form."""
    other = case.of("mistakes", mistake.wrong)
    name = _("wrong of {message!r}", message=mistake.message)
    words = _("a law whose answers have the shape of right ones, and are floats if those are")
    require.returned(isinstance(other, AnyLaw), name, words, other, TypeError)
    data: LawData = other.to_data()
    same_shape = read(data).shape == read(law.to_data()).shape
    same_form = same_shape and isinstance(other, Law) == isinstance(law, Law)
    require.returned(same_form, name, words, other)
    return data


def caught(part: RandomPart) -> list[bool]:
    """Return for each declared mistake whether the check catches it.

    It does if, in some case, answers drawn from the mistake's distribution fail, and fit it so well
    that feedback names the mistake.
    """
    return [
        any(_catches(case, i, part["false_alarm"]) for case in part["cases"])
        for i in range(len(part["messages"]))
    ]


def _catches(case: RandomCase, i: int, false_alarm: float) -> bool:
    wrong = case["mistakes"][i]
    if wrong is None:
        return False
    sample = read(wrong).draw(case["calls"], np.random.default_rng(i))
    return findings(sample, case["law"], false_alarm) is not None and fits(sample, wrong)


KIND = Kind(
    name="random",
    title="mechanism",
    minutes=8,
    declaration=RandomCheck,
    words=(Law, DiscreteLaplace, Categorical),
    part=random_part,
    caught=caught,
    judged=each(judge_random),
    called=reads,
    asked=asked,
    seconds=lambda part: 5.0 + RANDOM_SECONDS * len(part["cases"]),
)
