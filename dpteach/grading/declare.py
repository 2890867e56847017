"""What an author writes: checks as data, each declared once, next to the item that it grades.

A check names the student's function, the cases to call it on, the reference that knows the right
answers, how close an answer must be, and the mistakes that are worth a message of their own. A
mistake is itself a function: the wrong implementation. Its answers are computed when the
assignment is built, so that a message is given for *that* wrong value and for no other.

`Check` is for functions with one right answer (a value, or an error that must be raised); checks
of mechanisms, whose right answer is a law, are in `dpteach.grading.random_checks`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpteach.grading.plain import encode, shown

#: the probability that a right random mechanism is failed by one check, at most
FALSE_ALARM = 1e-9

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BOOK = re.compile(r"\d\d_[a-z0-9_]+#[a-z0-9-]+")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {name}={shown(value)}")
    if not value.strip():
        raise ValueError(f"{name} must not be empty, got {name}={value!r}")
    return value


def _matching(name: str, value: object, pattern: re.Pattern[str], words: str) -> str:
    text = _text(name, value)
    if not pattern.fullmatch(text):
        raise ValueError(f"{name} must be {words}, got {name}={text!r}")
    return text


def _number(name: str, value: object, words: str, *, above: float, included: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number {words}, got {name}={shown(value)}")
    number = float(value)
    if not math.isfinite(number) or number < above or (number == above and not included):
        raise ValueError(f"{name} must be {words}, got {name}={shown(value)}")
    return number


def _function(name: str, value: object) -> None:
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {name}={shown(value)}")


def _points(value: object) -> float:
    return _number("points", value, "finite and > 0", above=0.0, included=False)


@dataclass(frozen=True)
class Case:
    """One call of the student's function.

    Parameters
    ----------
    *args, **kwargs
        The arguments of the call: plain values (see `dpteach.grading.plain.encode`).
    words
        The case in words. A hidden case must have them: they are all that a student gets to
        see of it, so they say what is special about the case and give no number away.
    raises
        The error that the call must raise, or several of which one is right. Without it the
        right answer is what the check's reference returns.

    Examples
    --------
    >>> Case([0.5, 0.5], [1.0, 0.0], words="q is 0 where p is not").args
    ([0.5, 0.5], [1.0, 0.0])
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    words: str | None
    raises: tuple[type[Exception], ...]

    def __init__(
        self,
        *args: Any,
        words: str | None = None,
        raises: type[Exception] | tuple[type[Exception], ...] = (),
        **kwargs: Any,
    ) -> None:
        errors = raises if isinstance(raises, tuple) else (raises,)
        for error in errors:
            if not (isinstance(error, type) and issubclass(error, Exception)):
                raise TypeError(f"raises must be a class of errors, got raises={shown(raises)}")
        if words is not None:
            _text("words", words)
        encode(list(args))
        encode(kwargs)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "kwargs", kwargs)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "raises", errors)


@dataclass(frozen=True)
class Relative:
    """An answer is right when it is within a relative error of the expected one.

    Parameters
    ----------
    tolerance
        The relative error, in (0, 1).
    absolute
        An absolute error that is right as well: for answers near 0. Finite, >= 0.

    Notes
    -----
    inf is right only for inf, and NaN is never right.

    Examples
    --------
    >>> Relative(1e-9)
    Relative(tolerance=1e-09, absolute=0.0)
    """

    tolerance: float
    absolute: float = 0.0

    def __post_init__(self) -> None:
        if _number("tolerance", self.tolerance, "in (0, 1)", above=0.0, included=False) >= 1:
            raise ValueError(f"tolerance must be in (0, 1), got tolerance={self.tolerance}")
        _number("absolute", self.absolute, "finite and >= 0", above=0.0, included=True)

    def to_data(self) -> dict[str, float]:
        """The rule as JSON data."""
        return {"relative": float(self.tolerance), "absolute": float(self.absolute)}


@dataclass(frozen=True)
class Absolute:
    """An answer is right when it is within an absolute error of the expected one.

    Examples
    --------
    >>> Absolute(1e-6)
    Absolute(tolerance=1e-06)
    """

    tolerance: float

    def __post_init__(self) -> None:
        _number("tolerance", self.tolerance, "finite and > 0", above=0.0, included=False)

    def to_data(self) -> dict[str, float]:
        """The rule as JSON data."""
        return {"relative": 0.0, "absolute": float(self.tolerance)}


@dataclass(frozen=True)
class Exact:
    """An answer is right when it equals the expected one: for integers and for True or False.

    Examples
    --------
    >>> Exact().to_data()
    {'relative': 0.0, 'absolute': 0.0}
    """

    def to_data(self) -> dict[str, float]:
        """The rule as JSON data."""
        return {"relative": 0.0, "absolute": 0.0}


def _rule(value: object) -> None:
    if not isinstance(value, (Relative, Absolute, Exact)):
        raise TypeError(
            f"compare must be Relative(...), Absolute(...) or Exact(), got compare={shown(value)}"
        )


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and what a student who has its answer should be told.

    Parameters
    ----------
    wrong
        The wrong implementation, called with the arguments of a case: for a `Check` it returns
        the wrong answer (or raises), for a `RandomCheck` it returns the wrong `Law`.
    message
        The likely misconception, in a sentence or two.
    compare
        How close to the mistake's answer a wrong answer must be to be recognised; the check's
        own rule if None. For a mistake that loses digits: which wrong digits come out depends
        on the order of the operations.
    """

    wrong: Callable[..., Any]
    message: str
    compare: Relative | Absolute | Exact | None = None

    def __post_init__(self) -> None:
        _function("wrong", self.wrong)
        _text("message", self.message)
        if self.compare is not None:
            _rule(self.compare)


@dataclass(frozen=True, kw_only=True)
class _Declared:
    """What all kinds of checks have."""

    name: str
    points: float
    call: str
    visible: Sequence[Case]
    hidden: Sequence[Case] = ()
    mistakes: Sequence[Mistake] = ()
    builds_on: Sequence[str] = ()
    book: str

    def __post_init__(self) -> None:
        _matching("name", self.name, _NAME, "of the form lower_case_2")
        _points(self.points)
        if not (isinstance(self.call, str) and self.call.isidentifier()):
            raise ValueError(f"call must be the name of a function, got call={shown(self.call)}")
        _matching("book", self.book, _BOOK, "of the form 05_chapter#section")
        for where, cases in (("visible", self.visible), ("hidden", self.hidden)):
            for case in cases:
                if not isinstance(case, Case):
                    raise TypeError(f"{where} must hold Case(...) only, got {shown(case)}")
        if not self.visible:
            raise ValueError("visible must hold at least one case, got visible=()")
        for i, case in enumerate(self.hidden):
            if case.words is None:
                raise ValueError(f"words must be given for a hidden case, got hidden[{i}] without")
        if isinstance(self.builds_on, str):
            raise TypeError(
                f"builds_on must be a list of names of checks, got builds_on={self.builds_on!r}"
            )
        for name in self.builds_on:
            _matching("builds_on", name, _NAME, "names of checks, of the form lower_case_2")
        for mistake in self.mistakes:
            if not isinstance(mistake, Mistake):
                raise TypeError(f"mistakes must hold Mistake(...) only, got {shown(mistake)}")


@dataclass(frozen=True, kw_only=True)
class Check(_Declared):
    """A function with one right answer for each case.

    Parameters
    ----------
    name
        The item's name, once in an assignment.
    points
        What it is worth, > 0.
    call
        The name of the student's function.
    visible, hidden
        The cases: `visible` ones are run for the student too and shown in full, `hidden` ones
        when the answer is graded, and told in words only.
    expected
        The reference: a function of a case's arguments that returns the right answer. May be
        left out if every case must raise.
    compare
        `Relative`, `Absolute` or `Exact`.
    mistakes
        Wrong implementations with their messages; each must differ from the reference on some
        case, or the build fails.
    builds_on
        Names of earlier checks whose functions a right answer may call: a failure that no
        mistake explains points to them.
    book
        Where to read again: ``"05_renyi_dp#section-label"``.
    """

    expected: Callable[..., Any] | None = None
    compare: Relative | Absolute | Exact = Relative(1e-9)

    def __post_init__(self) -> None:
        super().__post_init__()
        _rule(self.compare)
        if self.expected is not None:
            _function("expected", self.expected)
        elif any(not case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("expected must be given unless every case has raises=, got None")
