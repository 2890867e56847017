"""What came out of the sandbox, made harmless: whatever it is, it becomes one outcome a case.

The kernel that answers belongs to the student's code, so an answer may be any JSON at all. Here it
is taken to the forms that `core.observe` documents, or to `BROKEN`; the verdict then
needs no doubts. Texts lose control characters, names of errors are those of built-in ones.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dpteach.grading.core.observe import RANDOM_SECONDS, VALUE_SECONDS
from dpteach.grading.core.plain import (
    MAX_BITS,
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_NUMBERS,
    SHOWN_CHARACTERS,
    unpack,
    unsqueezed,
)
from dpteach.grading.core.specification import Outcome, Part, asked_about

#: an answer that is none
BROKEN: Final[Outcome] = {"unplain": "something that the grader cannot read"}

#: a case that was not run, because an earlier one took too long
SKIPPED: Final[Outcome] = {"skipped": True}

#: names of built-in errors, with those of the classes that each belongs to
ERRORS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(kind.__name__ for kind in error.__mro__ if kind is not object)
    for name, error in vars(builtins).items()
    if isinstance(error, type) and issubclass(error, BaseException)
}

#: how many seeds a random function gets twice
REPEATED: Final = 5


def repeated(seed: int) -> tuple[list[int], list[int]]:
    """Return the seeds that a random function gets before its calls, and those after them.

    They are the same in another order. The first one before is the seed of the calls themselves.

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
    """Return a text from anywhere as one short line that can be printed.

    Examples
    --------
    >>> readable("red" + chr(27) + "[31m text")
    'red?[31m text'
    """
    if not isinstance(text, str):
        return ""
    line = " ".join(text[: 4 * SHOWN_CHARACTERS].split())[:SHOWN_CHARACTERS]
    return "".join(c if c.isprintable() else "?" for c in line)


def cleaned(found: object, part: Part[Any]) -> list[Outcome]:
    """Return one outcome for each case (or suspect) of a part, from any JSON at all.

    Parameters
    ----------
    found
        What the kernel gave as the list of outcomes.
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
    # one branch a form that `core.observe` documents
    if not isinstance(found, Mapping):
        return BROKEN
    if "missing" in found:
        return {"missing": "uncallable" if found["missing"] == "uncallable" else True}
    if "late" in found:
        # the grader's own number: the one that came could spell an argument
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
        last = "" if found["accepts"] else readable(found.get("last"))
        return {"accepts": found["accepts"], **told, **({"last": last} if last else {})}
    if "trials" in case:
        return _guesses(found.get("guesses"), len(unsqueezed(case["trials"])))
    if "value" in found and case.get("record"):
        return {"value": _record(found["value"])}
    if "value" in found:
        return {"value": _value(found["value"], 0, [MAX_NUMBERS])}
    if "calls" not in case:
        return BROKEN
    return _labels(found, seed) if case["labels"] else _answers(found, case["calls"], seed)


def _guesses(found: Any, trials: int) -> Outcome:
    """Return the guesses of an attack, one a trial."""
    if not isinstance(found, list) or len(found) != trials:
        return BROKEN
    return {"guesses": _value(found, 0, [MAX_NUMBERS])}


def _error(found: Mapping[str, Any]) -> Outcome:
    name = found["raises"]
    known = isinstance(name, str) and name in ERRORS
    kinds = set(ERRORS[name] if known else ())
    claimed = found.get("kinds")
    if isinstance(claimed, list):
        kinds |= {kind for kind in claimed[:50] if isinstance(kind, str) and kind in ERRORS}
    return {
        "raises": name if known else "Exception",
        "kinds": sorted(kinds),
        "message": readable(found.get("message")),
    }


def _record(value: Any) -> Any:
    """Return a dict by names that can be printed, or what another value is."""
    if not (type(value) is dict and type(value.get("dict")) is dict and len(value) == 1):
        return _value(value, 0, [MAX_NUMBERS])
    if len(value["dict"]) > MAX_ENTRIES:
        raise ValueError("too much")
    budget = [MAX_NUMBERS]
    return {readable(key): _value(item, 1, budget) for key, item in value["dict"].items()}


def _value(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_DEPTH:
        raise ValueError("too much")
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and value.bit_length() <= MAX_BITS:
        return value
    if type(value) is str:
        return value[: SHOWN_CHARACTERS + 1]
    if type(value) is list:
        return [_value(item, depth + 1, budget) for item in value]
    if type(value) is dict and set(value) == {"float"} and value["float"] in ("inf", "-inf", "nan"):
        return float(value["float"])
    raise ValueError("not plain")


def _answers(found: Mapping[str, Any], calls: int, seed: int) -> Outcome:
    """Return the answers of a random function, and whether repeated seeds repeated them."""
    if "ragged" in found:
        return {"ragged": True}
    values = unpack(found.get("values"))
    first, second = unpack(found.get("first")), unpack(found.get("second"))
    if values.shape[0:1] != (calls,) or not (
        first.shape == second.shape == (REPEATED, *values.shape[1:])
    ):
        return BROKEN
    same = np.array_equal(first, second[_places_after(seed)], equal_nan=True)
    same = same and np.array_equal(first[0], values[0])
    return {"values": values, "same": same, "touched": found.get("touched") is not False}


def _labels(found: Mapping[str, Any], seed: int) -> Outcome:
    """Return the same for answers whose types count, where the answers themselves stay unread.

    There are many of them, and `random.judge` knows their shape and their types.
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
    """Return where each seed of those before the calls stands among those after them."""
    before, after = repeated(seed)
    return [after.index(one) for one in before]
