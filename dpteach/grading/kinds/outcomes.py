"""Conversion of any JSON from the sandbox into one harmless outcome for each case.

The process that reports the outcomes also runs the student's code, so a report may be any JSON.
This module converts a report to the forms that `core.observe` documents, or replaces it by
`BROKEN`, so that the judges can trust its form. Texts lose their control characters, and errors get
the names of built-in errors.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core import plain
from dpteach.grading.core.observe import RANDOM_SECONDS, VALUE_SECONDS
from dpteach.grading.core.specification import Outcome, Part, asked_about

_, _n = catalog("kinds")

#: the outcome of a case if the grader does not know the form of the sandbox's report on it
BROKEN: Final[Outcome] = {"unplain": N_("something that the grader cannot read")}

#: the outcome of a case that was not run, because an earlier case took too long
SKIPPED: Final[Outcome] = {"skipped": True}

#: names of all built-in errors, each with the names of its class and base classes
ERRORS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(kind.__name__ for kind in error.__mro__ if kind is not object)
    for name, error in vars(builtins).items()
    if isinstance(error, type) and issubclass(error, BaseException)
}

#: number of seeds with which a random function is called twice, to test that it returns the same
#: answers
REPEATED: Final = 5


def repeated(seed: int) -> tuple[list[int], list[int]]:
    """Return the seeds with which a random function is called before and after the tested calls.

    The grader compares the answers for each seed, which must be the same. The distribution is
    tested on the calls in between.

    Both lists have the same seeds in different orders. The first seed of the first list is also
    the seed of the calls in between.

    Examples
    --------
    >>> before, after = repeated(7)
    >>> sorted(before) == sorted(after)
    True
    """
    rng = np.random.default_rng([seed, REPEATED])
    seeds = [seed, *rng.integers(2**31, size=REPEATED - 1).tolist()]
    return seeds, rng.permutation(seeds).tolist()


def readable(text: object) -> str:
    """Return an untrusted string as one short printable line; return "" for another type.

    Examples
    --------
    >>> readable("red" + chr(27) + "[31m text")
    'red?[31m text'
    """
    if not isinstance(text, str):
        return ""
    line = " ".join(text[: 4 * plain.SHOWN_CHARACTERS].split())[: plain.SHOWN_CHARACTERS]
    return "".join(c if c.isprintable() else "?" for c in line)


def cleaned(found: object, part: Part[Any]) -> list[Outcome]:
    """Convert untrusted data to one harmless outcome for each case of a part.

    If students write a test, each case is an implementation on which the test runs.

    Parameters
    ----------
    found
        The list of outcomes that the student's process sent; it may be any JSON data.
    """
    cases = asked_about(part)
    seed: Any = part.get("seed", 0)
    if not isinstance(found, (list, tuple)) or not 1 <= len(found) <= len(cases):
        return [BROKEN] * len(cases)
    some: list[Outcome] = []
    for i, (case, one) in enumerate(zip(cases, found, strict=False)):
        try:
            some.append(_outcome(one, case, seed + i))
        except (ValueError, TypeError, OverflowError, RecursionError):
            some.append(BROKEN)
    last = some[-1]
    rest = last if "missing" in last else SKIPPED if "late" in last else BROKEN
    return some + [rest] * (len(cases) - len(some))


def _outcome(found: Any, case: Mapping[str, Any], seed: int) -> Outcome:
    # each branch reads one of the forms of an outcome that `core.observe` lists
    if not isinstance(found, Mapping):
        return BROKEN
    if "missing" in found:
        return {"missing": "uncallable" if found["missing"] == "uncallable" else True}
    if "late" in found:
        # report the grader's own limit, because a number from the student's process could encode a
        # hidden case
        return {"late": RANDOM_SECONDS if {"calls", "trials"} & set(case) else VALUE_SECONDS}
    if "changed" in found:
        return {"changed": True}
    if "unplain" in found:
        return {"unplain": readable(found["unplain"])}
    if "raises" in found:
        return _error(found)
    if "right" in case:
        if "ended" in found:
            return {"ended": True}
        if type(found.get("accepts")) is not bool:
            return BROKEN
        told: Outcome = {"returned": True} if found.get("returned") is True else {}
        last = readable(found.get("last"))
        return {"accepts": found["accepts"], **told, **({"last": last} if last else {})}
    if "trials" in case:
        guesses = found.get("guesses")
        many = isinstance(guesses, list) and len(guesses) == len(plain.unsqueezed(case["trials"]))
        return {"guesses": _value(guesses, 0, [plain.MAX_NUMBERS])} if many else BROKEN
    if "value" in found and case.get("record"):
        return {"value": _record(found["value"])}
    if "value" in found:
        return {"value": _value(found["value"], 0, [plain.MAX_NUMBERS])}
    if "calls" not in case:
        return BROKEN
    return _labels(found, seed) if case["labels"] else _answers(found, case["calls"], seed)


def _error(found: Mapping[str, Any]) -> Outcome:
    name = found["raises"]
    known = isinstance(name, str) and name in ERRORS
    kinds = set(ERRORS[name] if known else ())
    claimed = found.get("kinds")
    if isinstance(claimed, list):
        kinds |= {kind for kind in claimed[:50] if isinstance(kind, str) and kind in ERRORS}
    line = readable(found.get("line"))
    return {
        "raises": name if known else "Exception",
        "kinds": sorted(kinds),
        "message": readable(found.get("message")),
        **({"line": line} if line else {}),
    }


def _record(value: Any) -> Any:
    """Return a student's decoded answer; if it is a dict, make its keys printable."""
    if not (type(value) is dict and type(value.get("dict")) is dict and len(value) == 1):
        return _value(value, 0, [plain.MAX_NUMBERS])
    if len(value["dict"]) > plain.MAX_ENTRIES:
        raise ValueError("too much")
    budget = [plain.MAX_NUMBERS]
    return {readable(key): _value(item, 1, budget) for key, item in value["dict"].items()}


def _value(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth > plain.MAX_DEPTH:
        raise ValueError("too much")
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and value.bit_length() <= plain.MAX_BITS:
        return value
    if type(value) is str:
        return value[: plain.SHOWN_CHARACTERS + 1]
    if type(value) is list:
        return [_value(item, depth + 1, budget) for item in value]
    if type(value) is dict and set(value) == {"float"} and value["float"] in ("inf", "-inf", "nan"):
        return float(value["float"])
    raise ValueError("not plain")


def _answers(found: Mapping[str, Any], calls: int, seed: int) -> Outcome:
    """Return a random function's outcome: the answers, and whether the seeds determine them."""
    if "ragged" in found:
        return {"ragged": True}
    values = plain.unpack(found.get("values"))
    first, second = plain.unpack(found.get("first")), plain.unpack(found.get("second"))
    if values.shape[0:1] != (calls,) or not (
        first.shape == second.shape == (REPEATED, *values.shape[1:])
    ):
        return BROKEN
    same = np.array_equal(first, second[_places_after(seed)], equal_nan=True)
    same = same and np.array_equal(first[0], values[0])
    return {"values": values, "same": same, "touched": found.get("touched") is not False}


def _labels(found: Mapping[str, Any], seed: int) -> Outcome:
    """Return a discrete random function's outcome: answers, and whether the seeds determine them.

    The answers may be of any type. They are checked in `random.judge`, which knows the right shape
    and types.
    """
    every: list[Any] = [found.get(key) for key in ("values", "first", "second")]
    if not all(isinstance(entry, list) for entry in every):
        return BROKEN
    values, first, second = every
    same = (
        len(first) == len(second) == REPEATED
        and first == [second[place] for place in _places_after(seed)]
        and first[:1] == values[:1]
    )
    return {"labels": values, "same": same, "touched": found.get("touched") is not False}


def _places_after(seed: int) -> list[int]:
    """Return for each seed of the first list of `repeated` its position in the second list."""
    before, after = repeated(seed)
    return [after.index(one) for one in before]
