"""What an author writes: checks as data, each declared once, next to the item that it grades.

A check names the student's function, the cases to call it on, the reference that knows the right
answers, how close an answer must be, and the mistakes that are worth a message of their own. A
mistake is itself a function: the wrong implementation. Its answers are computed when the
assignment is built, so that a message is given for *that* wrong value and for no other.

`Check` is for functions with one right answer (a value, or an error that must be raised),
`PropertyCheck` for those whose answer must lie between bounds, `TestsCheck` for tests that the
student writes; checks of mechanisms, whose right answer is a law, are in
`dpteach.grading.author.random_checks`, and other kinds in the modules beside it.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dpteach.grading.core.plain import encode, shown
from dpteach.grading.core.reading import FORMS, is_place

#: the probability that a right random mechanism is failed by one check, at most
FALSE_ALARM = 1e-9

_NAME = re.compile(r"[a-z][a-z0-9_]*")


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
        The arguments of the call: plain values (see `dpteach.grading.core.plain.encode`).
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
class Fresh:
    """Hidden cases that are drawn anew for each exam, so that knowing the last ones helps nobody.

    Parameters
    ----------
    make
        A function of a ``numpy.random.Generator`` that returns a `Case`, or a list of cases that
        belong together. The build tries it with several seeds; every case that it can draw must
        be of the kind that `words` says.
    words
        The cases in words, as for `Case`.
    count
        How many times to draw, 1 to 20.
    raises
        The error that each of these calls must raise, as for `Case`.

    Examples
    --------
    >>> two = Fresh(lambda rng: Case(rng.uniform(1, 9)), words="a positive number", count=2)
    >>> [case.words for case in two.cases("square", 0, seed=7)]
    ['a positive number', 'a positive number']
    """

    make: Callable[[np.random.Generator], Case | Sequence[Case]]
    words: str
    count: int = 1
    raises: type[Exception] | tuple[type[Exception], ...] = ()

    def __post_init__(self) -> None:
        _function("make", self.make)
        _text("words", self.words)
        if isinstance(self.count, bool) or not isinstance(self.count, int):
            raise TypeError(f"count must be an integer in 1..20, got count={shown(self.count)}")
        if not 1 <= self.count <= 20:
            raise ValueError(f"count must be an integer in 1..20, got count={self.count}")
        Case(raises=self.raises)

    def cases(self, name: str, position: int, *, seed: int) -> list[Case]:
        """The cases of one exam: a function of the check's name, the position in it, the seed."""
        return [case for i in range(self.count) for case in self._draw(name, position, i, seed)]

    def _draw(self, name: str, position: int, i: int, seed: int) -> list[Case]:
        rng = np.random.default_rng([seed, zlib.crc32(f"{name} {position} {i}".encode())])
        try:
            made = self.make(rng)
        except Exception as error:
            raise ValueError(f"make: {type(error).__name__}: {error}: {self.words!r}") from error
        cases = [made] if isinstance(made, Case) else made
        if not isinstance(cases, (list, tuple)) or not all(isinstance(c, Case) for c in cases):
            raise TypeError(f"make must return a Case or a list of them, got {shown(made)}")
        return [
            Case(
                *case.args,
                words=case.words or self.words,
                raises=case.raises or self.raises,
                **case.kwargs,
            )
            for case in cases
        ]


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
    visible: Sequence[Any]
    hidden: Sequence[Any] = ()
    mistakes: Sequence[Mistake] = ()
    builds_on: Sequence[str] = ()
    book: str = ""

    #: what `visible` and `hidden` may hold
    _visible_kinds: ClassVar[tuple[type, ...]] = (Case,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Case, Fresh)

    #: whether the hidden part asks the visible cases again, and so is there without hidden ones
    asked_again: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _matching("name", self.name, _NAME, "of the form lower_case_2")
        _points(self.points)
        if not (isinstance(self.call, str) and self.call.isidentifier()):
            raise ValueError(f"call must be the name of a function, got call={shown(self.call)}")
        if not isinstance(self.book, str) or not is_place(self.book):
            raise ValueError(f"book must be {FORMS}, got book={shown(self.book)}")
        for where, cases, kinds in (
            ("visible", self.visible, self._visible_kinds),
            ("hidden", self.hidden, self._hidden_kinds),
        ):
            for case in cases:
                if not isinstance(case, kinds):
                    names = " and ".join(f"{kind.__name__}(...)" for kind in kinds)
                    raise TypeError(f"{where} must hold {names} only, got {shown(case)}")
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

    def drawn(self, seed: int) -> Self:
        """The same check with each `Fresh` replaced by the cases of one exam."""
        cases: list[Any] = []
        for position, case in enumerate(self.hidden):
            if isinstance(case, Fresh):
                cases += case.cases(self.name, position, seed=seed)
            else:
                cases.append(case)
        return replace(self, hidden=tuple(cases))


def _share(partial: object, hidden: Sequence[Any]) -> None:
    if not isinstance(partial, bool):
        raise TypeError(f"partial must be True or False, got partial={shown(partial)}")
    if partial and sum(getattr(case, "count", 1) for case in hidden) < 3:
        raise ValueError(
            "partial must not be True with fewer than 3 hidden cases: it is a share of these"
        )


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
        The cases: `visible` ones are run for the student too and shown in full; `hidden` ones,
        `Case` or better `Fresh`, when the answer is graded, and told in words only.
    expected
        The reference: a function of a case's arguments that returns the right answer. May be
        left out if every case must raise.
    compare
        `Relative`, `Absolute` or `Exact`.
    partial
        Whether the share of the hidden cases that are right earns a share of the points, less
        what the best constant answer would earn: ``(right - constant) / (cases - constant)``,
        rounded down to 0.01 points. Else it is all, visible cases included, or nothing.
    mistakes
        Wrong implementations with their messages; each must differ from the reference on some
        case, or the build fails.
    builds_on
        Names of earlier checks whose functions a right answer may call. If they fail, and this
        one with them, it is asked again with right ones (`dpteach.grading.classroom.given`).
    book
        Where to read again: a section, ``"renyi_dp#section-label"``; a paper,
        ``"doi:10.1109/CSF.2017.11"`` or ``"arXiv:1702.07476"``; or nothing.
    """

    expected: Callable[..., Any] | None = None
    compare: Relative | Absolute | Exact = Relative(1e-9)
    partial: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _rule(self.compare)
        _share(self.partial, self.hidden)
        if self.expected is not None:
            _function("expected", self.expected)
        elif any(not case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("expected must be given unless every case has raises=, got None")


@dataclass(frozen=True, kw_only=True)
class PropertyCheck(_Declared):
    """A function with many right answers: those between two bounds.

    Parameters
    ----------
    name, points, call, visible, hidden, partial, mistakes, builds_on, book
        As for `Check`.
    at_least, at_most
        Functions of a case's arguments that return the smallest and the largest right answer;
        None for no bound on that side. No single number may be right on all cases, or the build
        fails: it would be full marks for a constant.
    statement
        The property in a sentence: "The conversion is sound: ...".
    slack
        The relative error of the bounds that is forgiven, in [0, 1).

    Examples
    --------
    >>> PropertyCheck(
    ...     name="rounds_up", points=1, call="up", at_least=lambda x: x, at_most=lambda x: x + 1,
    ...     statement="up(x) is at least x and at most x + 1.",
    ...     visible=[Case(0.5), Case(7.5)], book="renyi_dp#x",
    ... ).slack
    1e-09
    """

    at_least: Callable[..., float] | None = None
    at_most: Callable[..., float] | None = None
    statement: str
    slack: float = 1e-9
    partial: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _share(self.partial, self.hidden)
        _text("statement", self.statement)
        if _number("slack", self.slack, "in [0, 1)", above=0.0, included=True) >= 1:
            raise ValueError(f"slack must be in [0, 1), got slack={self.slack}")
        if self.at_least is None and self.at_most is None:
            raise ValueError("at_least or at_most must be given, got None for both")
        for name, bound in (("at_least", self.at_least), ("at_most", self.at_most)):
            if bound is not None:
                _function(name, bound)
        if any(case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("raises must not be given in a PropertyCheck: use a Check for errors")


@dataclass(frozen=True)
class Suspect:
    """An implementation that a student's test must accept if it is right, else reject.

    Parameters
    ----------
    function
        The implementation: a plain function of a reference cell or of ``dpteach``, no lambda.
        It may use modules, constants and functions of reference cells.
    right
        Whether it is right.
    words
        What is wrong with it, told to a student whose test accepts it; or how a right one is
        made.
    """

    function: Callable[..., Any]
    right: bool = False
    words: str | None = None

    def __post_init__(self) -> None:
        _function("function", self.function)
        if not getattr(self.function, "__name__", "<>").isidentifier():
            raise ValueError(f"function must have a name, got function={shown(self.function)}")
        if not isinstance(self.right, bool):
            raise TypeError(f"right must be True or False, got right={shown(self.right)}")
        if self.words is not None:
            _text("words", self.words)


@dataclass(frozen=True, kw_only=True)
class TestsCheck(_Declared):
    """A test that the student writes, judged by the wrong implementations that it catches.

    The student's function gets an implementation as its one argument. It accepts by returning,
    and rejects by any error (an ``assert``) or by returning False. If it accepts all right
    implementations, it earns the share of the wrong ones that it rejects, else nothing. A wrong
    one counts as caught only if the test has asked it something that it answers wrongly.

    Parameters
    ----------
    name, points, call, book
        As for `Check`; `call` is the student's test.
    visible, hidden
        The suspects. The source of visible ones is the student's to read, unless they are
        functions of ``dpteach``; hidden ones are told in words. There must be at least one right
        and one wrong visible one and three right ones in all, and the instructor's test must
        judge all of them right, or the build fails.
    compare
        How far an implementation's answer must be from the right one to be wrong.
    """

    __test__: ClassVar[bool] = False  # pytest: this is no class of tests

    _visible_kinds: ClassVar[tuple[type, ...]] = (Suspect,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Suspect,)

    compare: Relative | Absolute | Exact = Relative(1e-9)

    def __post_init__(self) -> None:
        super().__post_init__()
        _rule(self.compare)
        if self.mistakes:
            raise ValueError("mistakes must not be given in a TestsCheck: the suspects are these")
        if self.builds_on:
            raise ValueError(
                "builds_on must be empty in a TestsCheck: a test is judged with the student's own "
                f"functions, got builds_on={self.builds_on!r}"
            )
        if {suspect.right for suspect in self.visible} != {True, False}:
            raise ValueError("visible must hold a right and a wrong Suspect at least")
        everyone = (*self.visible, *self.hidden)
        if sum(suspect.right for suspect in everyone) < 3:
            raise ValueError("visible and hidden must hold at least three right ones in all")
        if self.hidden and all(suspect.right for suspect in self.hidden):
            raise ValueError("hidden must hold a wrong Suspect, or none at all")
        if not all(suspect.right or suspect.words for suspect in everyone):
            raise ValueError("words must be given for each wrong Suspect")
