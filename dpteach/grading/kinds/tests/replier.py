"""Replies to the calls that a student's own test makes of the implementations that it examines.

The test runs in the sandbox and gets a stand-in for each implementation. This module replies to
calls of the stand-in. The student's code can therefore distinguish a right implementation from a
wrong one only by the replies.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypedDict

from dpteach.grading.core.plain import MAX_DEPTH, decode
from dpteach.grading.core.specification import Compare, Part
from dpteach.grading.kinds.comparing import same
from dpteach.grading.kinds.implementations import ENDED, Implementations, called, load

#: largest number of calls that a student's test may make of one implementation
MAX_REQUESTS: Final = 1_000

#: largest number of numbers in the arguments of one call, and the largest absolute value of an
#: integer in them
MAX_ARGUMENTS: Final = 10_000
MAX_INTEGER: Final = 2**53

#: largest total number of characters in the calls that a test makes of one implementation, and in
#: the calls for which `Replier` keeps the replies of the right implementations
KEPT_BYTES: Final = 16 * 2**20

#: the value in `Replier.witness`, instead of True, for an implementation that wrongly returned NaN
NAN: Final = "nan"

#: the value in `Replier.witness` for a wrong implementation whose wrong replies are all numbers
#: between two right replies. The text of the task may allow such numbers
BETWEEN: Final = "between"

#: the value in `Replier.witness` for a right implementation with a reply that differs from the
#: reply of another right implementation to the same call
DIFFERS: Final = "differs"


class SuspectData(TypedDict):
    """A `Suspect`, an implementation that a student's test examines, as data with its source."""

    entry: str
    text: str
    right: bool
    words: str | None


class TestsPart(Part[Any]):
    """The visible or hidden part of a `TestsCheck`."""

    suspects: list[SuspectData]
    compare: Compare


class Replier:
    """Object that runs the implementations which a student's test calls, and sends their replies.

    It records the replies, and finds the wrong ones after the test has ended. The method `about`
    selects the implementation that the test calls. Right and wrong implementations are called in
    the same way, so even the time until a reply does not show whether an implementation is right.

    Parameters
    ----------
    part
        A part of a `TestsCheck` as data.
    apart
        Whether the implementations run in a separate process, as they must if the arguments come
        from a student.

    Attributes
    ----------
    witness
        For each right implementation: `DIFFERS` if another right implementation replies differently
        to a call, and not all of them reply by errors, else False. For each wrong implementation, a
        reply is wrong if it differs from those of all right implementations. The entry is False if
        no reply is wrong, and `BETWEEN` if each wrong reply is a number between two right ones.
        Otherwise, the first wrong reply that is not between two right ones decides: `NAN` if it
        contains NaN, else True.
    """

    def __init__(self, part: TestsPart, *, apart: bool = True) -> None:
        suspects = part["suspects"]
        self._compare = part["compare"]
        self._right = [i for i, one in enumerate(suspects) if one["right"]]
        self._known: dict[str, list[dict[str, Any]]] = {}
        self._number, self._room, self._spare = 0, KEPT_BYTES, KEPT_BYTES
        self._asked: list[tuple[Any, Any, dict[str, Any]]] = []
        self._all: list[list[tuple[Any, Any, dict[str, Any]]]] = [[] for _ in suspects]
        sources = [(one["entry"], one["text"]) for one in suspects]
        self._call: Callable[[int, Any, Any], dict[str, Any]]
        if apart:
            self._call = Implementations.of(sources).call
        else:
            functions = [load(*source) for source in sources]
            self._call = lambda number, args, kwargs: called(functions[number], args, kwargs)

    @contextlib.contextmanager
    def about(self, number: int) -> Iterator[None]:
        """Let the implementation with this number answer a test's calls in the ``with`` block."""
        self._number, self._room = number, KEPT_BYTES
        self._asked = self._all[number] = []
        yield

    @property
    def witness(self) -> list[bool | str]:
        """Return for each implementation whether the student's test got a wrong reply from it.

        The docstring of the class explains the values True, False, `NAN`, `BETWEEN` and `DIFFERS`.
        """
        return [
            self._differs(asked) if i in self._right else self._proof(asked)
            for i, asked in enumerate(self._all)
        ]

    def __call__(self, request: Any) -> dict[str, Any]:
        """Return the reply to a request from a student's test; the request may be any JSON data.

        Parameters
        ----------
        request
            ``{"args": [...], "kwargs": {...}}``. The reply is `ENDED` if the request is malformed,
            or if the test has made too many or too large calls.
        """
        found = _request(request)
        if found is None or len(self._asked) >= MAX_REQUESTS:
            return dict(ENDED)
        self._room -= len(json.dumps(found))
        if self._room < 0:
            return dict(ENDED)
        reply = self._call(self._number, *found)
        self._asked.append((*found, reply))
        return reply

    def _proof(self, asked: list[tuple[Any, Any, dict[str, Any]]]) -> bool | str:
        """Return whether a wrong implementation has replied wrongly to a call of a student's test.

        `asked` has the calls and the replies. Return False if no reply is wrong, and `BETWEEN` if
        each wrong reply is a number between two right ones. Otherwise, the first wrong reply
        that is not such a number decides: return `NAN` if it contains NaN, else True.
        """
        found: bool | str = False
        for args, kwargs, reply in asked:
            right = self._rightly(args, kwargs)
            if "ended" in reply or any(_agree(reply, one, self._compare) for one in right):
                continue
            if not _between(reply, right):
                return NAN if _has_nan(reply.get("value")) else True
            found = BETWEEN
        return found

    def _differs(self, asked: list[tuple[Any, Any, dict[str, Any]]]) -> bool | str:
        """Return `DIFFERS` if another right implementation replies differently to a call, or False.

        `asked` has the calls of a right implementation, and its replies. A call to which all right
        implementations reply by errors does not count, because its arguments are wrong.
        """
        differs = any(
            not _agree(reply, one, self._compare)
            for args, kwargs, reply in asked
            for right in [self._rightly(args, kwargs)]
            for one in right
            if any("value" in some for some in right)
        )
        return DIFFERS if differs else False

    def _rightly(self, args: Any, kwargs: Any) -> list[dict[str, Any]]:
        """Return the replies of all right implementations to a call.

        They are stored, so that equal calls do not run the implementations again.
        """
        key = json.dumps([args, kwargs])
        if key in self._known:
            return self._known[key]
        found = [self._call(number, args, kwargs) for number in self._right]
        if len(key) <= self._spare:
            self._spare -= len(key)
            self._known[key] = found
        return found


def _request(request: Any) -> tuple[Any, Any] | None:
    """Return args and kwargs of a test's request, or None if it is malformed or too large."""
    if not isinstance(request, dict):
        return None
    args, kwargs = request.get("args"), request.get("kwargs")
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        return None
    try:
        _measured([args, kwargs], 0, [MAX_ARGUMENTS])
        decode(args)
        decode({"dict": kwargs})
        json.dumps([args, kwargs], allow_nan=False)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError):
        return None
    return args, kwargs


def _measured(data: Any, depth: int, budget: list[int]) -> None:
    budget[0] -= 1 + (len(data) // 8 if isinstance(data, str) else 0)
    if budget[0] < 0 or depth > 2 * MAX_DEPTH:
        raise ValueError("too large")
    if type(data) is int and abs(data) > MAX_INTEGER:
        raise ValueError("too large")
    for item in data.values() if isinstance(data, dict) else data if type(data) is list else ():
        _measured(item, depth + 1, budget)


def _has_nan(value: Any) -> bool:
    """Return whether an encoded value is NaN or a list that contains NaN."""
    if isinstance(value, list):
        return any(map(_has_nan, value))
    return bool(value == {"float": "nan"})


def _between(reply: Mapping[str, Any], right: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a reply is a number between two numbers that right implementations replied."""
    number = decode(reply.get("value"))
    bounds = [decode(one.get("value")) for one in right]
    if not all(type(one) in (int, float) for one in (number, *bounds)):
        return False
    return bool(min(bounds) < number < max(bounds))


def _agree(one: Mapping[str, Any], other: Mapping[str, Any], compare: Compare) -> bool:
    if "value" in one and "value" in other:
        return same(decode(one["value"]), decode(other["value"]), compare)
    return "raises" in one and one["raises"] == other.get("raises")
