"""Building blocks of the declaration of a check: cases, rules for comparing answers, and mistakes.

A check states the name of the student's function, the cases on which the function is called, the
reference that computes the right answers, how close an answer must be, and typical mistakes with a
message about each. A mistake is a wrong implementation, whose answers are computed when the
assignment is built. A student who returns one of these answers reads the message of the mistake.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

import numpy as np

from dpteach import _check
from dpteach._language import catalog
from dpteach.grading.core.plain import encode
from dpteach.grading.core.reading import forms, is_place
from dpteach.grading.core.specification import Call, Compare
from dpteach.grading.kinds import require

_, _n = catalog("kinds")

#: largest probability with which a check may fail a right mechanism or attack by chance
FALSE_ALARM: Final = 1e-9


@dataclass(frozen=True)
class Case:
    """One call of the student's function.

    Parameters
    ----------
    *args, **kwargs
        The arguments of the call: plain values (see `dpteach.grading.core.plain.encode`).
    words
        A description of the case, which a hidden case must have. A student sees only this
        description of a hidden case, so it should say what is special about the case without
        revealing a number.
    raises
        The error that the call must raise, or several errors of which the call must raise one. By
        default, the call must return what the check's reference returns.

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
            known = isinstance(error, type) and issubclass(error, Exception)
            require.that(known, "raises", _("must be a class of errors"), raises, TypeError)
        if words is not None:
            require.text("words", words)
        encode(list(args))
        encode(kwargs)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "kwargs", kwargs)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "raises", errors)

    def to_data(self) -> Call:
        """Return the arguments and the description of the case as JSON data."""
        args, kwargs = encode(list(self.args)), encode(self.kwargs)["dict"]
        return {"args": args, "kwargs": kwargs, "words": self.words}

    def of(self, name: str, function: Callable[..., Any], *first: Any, **more: Any) -> Any:
        """Call an author's function on `first`, this case's arguments, and the keywords `more`.

        If the call fails, the error's message contains the case and `name`, the name of the
        function in the declaration.
        """
        return _result(name, self, function, *first, *self.args, **self.kwargs, **more)


def _result(name: str, case: object, function: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """Call an author's function and return its result; errors contain `name` and the case."""
    try:
        return function(*args, **more)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ValueError(_("{name}: {why}, on {case}", name=name, why=why, case=case)) from error


@dataclass(frozen=True)
class Fresh:
    """Hidden cases that are drawn at random, so that the cases of an earlier term do not help.

    Parameters
    ----------
    make
        A function of a ``numpy.random.Generator`` that returns a `Case`. The build calls the
        function with several seeds. `words` must describe each case that the function can return.
    words
        A description of the cases, as for `Case`.
    count
        The number of cases to draw, from 1 to 20.
    raises
        The error that the student's function must raise on these cases, as for `Case`.

    Examples
    --------
    >>> two = Fresh(lambda rng: Case(rng.uniform(1, 9)), words="a positive number", count=2)
    >>> [case.words for case in two.cases("square", 0, seed=7)]
    ['a positive number', 'a positive number']
    """

    make: Callable[[np.random.Generator], Case]
    words: str
    count: int = 1
    raises: type[Exception] | tuple[type[Exception], ...] = ()

    def __post_init__(self) -> None:
        require.function("make", self.make)
        require.text("words", self.words)
        require.integer("count", self.count, 1, 20)
        Case(raises=self.raises)

    def cases(self, name: str, position: int, *, seed: int) -> list[Case]:
        """Return cases for grading, drawn at random.

        The random numbers depend on `seed`, on the check's `name`, and on the `position` of this
        object in the list of the check's hidden cases.
        """
        found = []
        for i in range(self.count):
            rng = np.random.default_rng([seed, zlib.crc32(f"{name} {position} {i}".encode())])
            made = _result("make", repr(self.words), self.make, rng)
            require.returned(isinstance(made, Case), "make", _("a Case"), made, TypeError)
            words, raises = made.words or self.words, made.raises or self.raises
            found.append(Case(*made.args, words=words, raises=raises, **made.kwargs))
        return found


@dataclass(frozen=True)
class Relative:
    """Rule that an answer is right if its relative error is at most a tolerance.

    Parameters
    ----------
    tolerance
        The largest allowed relative error, in (0, 1).
    absolute
        An absolute error that is allowed as well, for answers near 0. Finite, >= 0.

    Notes
    -----
    The answer inf is right only if inf is expected, and NaN is never right.

    Examples
    --------
    >>> Relative(1e-9)
    Relative(tolerance=1e-09, absolute=0.0)
    """

    tolerance: float
    absolute: float = 0.0

    def __post_init__(self) -> None:
        require.number("tolerance", self.tolerance, _check.OPEN_PROBABILITY)
        require.number("absolute", self.absolute, _check.NON_NEGATIVE)

    def to_data(self) -> Compare:
        """Return the rule as JSON data."""
        return {"relative": float(self.tolerance), "absolute": float(self.absolute)}


@dataclass(frozen=True)
class Absolute:
    """Rule that an answer is right if its absolute error is at most a tolerance.

    Examples
    --------
    >>> Absolute(1e-6)
    Absolute(tolerance=1e-06)
    """

    tolerance: float

    def __post_init__(self) -> None:
        require.number("tolerance", self.tolerance, _check.POSITIVE)

    def to_data(self) -> Compare:
        """Return the rule as JSON data."""
        return {"relative": 0.0, "absolute": float(self.tolerance)}


@dataclass(frozen=True)
class Exact:
    """Rule that an answer must equal the expected answer, for integers and for True or False.

    Examples
    --------
    >>> Exact().to_data()
    {'relative': 0.0, 'absolute': 0.0}
    """

    def to_data(self) -> Compare:
        """Return the rule as JSON data."""
        return {"relative": 0.0, "absolute": 0.0}


Rule = Relative | Absolute | Exact

#: the rule for comparing answers in a declaration that states no rule
NINE_DIGITS: Final = Relative(1e-9)


def require_rule(value: object) -> None:
    """Raise an error if a value is not a rule for comparing answers."""
    words = _("must be Relative(...), Absolute(...) or Exact()")
    require.that(isinstance(value, Rule), "compare", words, value, TypeError)


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and the message for a student who returns its answer.

    Parameters
    ----------
    wrong
        The wrong implementation, a function of the arguments of a case. For a `Check` it returns
        the wrong answer (or raises an error), for a `RandomCheck` the wrong distribution.
    message
        The likely misconception, in a sentence or two. A student reads it if the mistake explains
        at least half of the wrong cases (`dpteach.grading.judging.judge`). Mistakes with the same
        message count as one.
    compare
        The rule that tells whether a student's wrong answer agrees with that of the mistake; None
        for the check's own rule. A mistake that loses digits by rounding needs its own rule,
        because its wrong digits depend on the order of the operations.
    book
        The section of the book, or the paper, that a student who made this mistake should read; ""
        for the check's own `book`.
    """

    wrong: Callable[..., Any]
    message: str
    compare: Rule | None = None
    book: str = ""

    def __post_init__(self) -> None:
        require.function("wrong", self.wrong)
        require.text("message", self.message)
        if self.book:
            require.that(
                is_place(self.book), "book", _("must be {forms}", forms=forms()), self.book
            )
        if self.compare is not None:
            require_rule(self.compare)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Base class for the declaration of a check; each kind of item has a subclass of it."""

    name: str
    points: float
    call: str
    visible: Sequence[Any]
    hidden: Sequence[Any] = ()
    mistakes: Sequence[Mistake] = ()
    builds_on: Sequence[str] = ()
    book: str = ""

    #: the allowed classes of the cases in `visible` and in `hidden`
    _visible_kinds: ClassVar[tuple[type, ...]] = (Case,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Case, Fresh)

    #: whether the hidden part of a check repeats the visible cases, and so exists even if `hidden`
    #: is empty
    asked_again: ClassVar[bool] = False

    #: fields that authors must not set in a declaration of this kind, each with the reason;
    #: "raises" means the field ``raises`` of the cases
    _refused: ClassVar[Mapping[str, str]] = {}

    def __post_init__(self) -> None:
        require.label("name", self.name, _("must be of the form lower_case_2"))
        require.number("points", self.points, _check.POSITIVE)
        named = isinstance(self.call, str) and self.call.isidentifier()
        require.that(named, "call", _("must be the name of a function"), self.call)
        a_place = isinstance(self.book, str) and is_place(self.book)
        require.that(a_place, "book", _("must be {forms}", forms=forms()), self.book)
        require.items("visible", self.visible, *self._visible_kinds)
        require.items("hidden", self.hidden, *self._hidden_kinds)
        require.items("mistakes", self.mistakes, Mistake)
        require.that(self.visible, "visible", _("must hold at least one case"), self.visible)
        for i, case in enumerate(self.hidden):
            require.that(
                case.words is not None, f"hidden[{i}]", _("must have words, as it is hidden"), case
            )
        many = not isinstance(self.builds_on, str)
        names = _("must be a list of names of checks, of the form lower_case_2")
        require.that(many, "builds_on", names, self.builds_on, TypeError)
        for name in self.builds_on:
            require.label("builds_on", name, names)
        cases = (*self.visible, *self.hidden)
        given = {**vars(self), "raises": [one for one in cases if getattr(one, "raises", ())]}
        for name, why in self._refused.items():
            words = _("must not be given in {kind}: {why}", kind=type(self).__name__, why=_(why))
            require.that(not given[name], name, words, given[name])

    def group(self, hidden: bool) -> Sequence[Any]:
        """Return the hidden cases if `hidden` is true, and otherwise the visible cases."""
        return self.hidden if hidden else self.visible

    def recognise(self, rule: Rule) -> list[Compare]:
        """Return for each mistake its rule for comparing answers; by default `rule`."""
        return [(mistake.compare or rule).to_data() for mistake in self.mistakes]

    def drawn(self, seed: int) -> Self:
        """Return a copy of the check in which cases drawn with this seed replace each `Fresh`."""
        cases: list[Any] = []
        for position, case in enumerate(self.hidden):
            fresh = isinstance(case, Fresh)
            cases += case.cases(self.name, position, seed=seed) if fresh else [case]
        return replace(self, hidden=tuple(cases))
