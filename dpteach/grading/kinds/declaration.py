"""Building blocks of declarations of all kinds: cases, rules of comparison, and mistakes.

A check names the student's function, the cases on which it is called, the reference that computes
the right answers, how close an answer must be, and the mistakes that have messages of their own.
A mistake is itself a function, a wrong implementation. Its answers are computed when the
assignment is built, so that exactly these wrong values get its message.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

import numpy as np

from dpteach import _check
from dpteach.grading.core.plain import encode, shown
from dpteach.grading.core.reading import forms, is_place
from dpteach.grading.core.specification import Call, Compare
from dpteach.grading.kinds import require

#: largest probability with which a check may fail a right mechanism or attack
FALSE_ALARM: Final = 1e-9


@dataclass(frozen=True)
class Case:
    """One call of the student's function.

    Parameters
    ----------
    *args, **kwargs
        The arguments of the call: plain values (see `dpteach.grading.core.plain.encode`).
    words
        The case in words. A hidden case must have them. They are all that a student sees of it, so
        they say what is special about the case without giving a number away.
    raises
        The error that the call must raise, or several errors of which it must raise one. Without
        it, the right answer is what the check's reference returns.

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
            require.text("words", words)
        encode(list(args))
        encode(kwargs)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "kwargs", kwargs)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "raises", errors)

    def to_data(self) -> Call:
        """Return the arguments as JSON data."""
        args = [encode(arg) for arg in self.args]
        return {"args": args, "kwargs": encode(self.kwargs)["dict"], "words": self.words}

    def of(self, name: str, function: Callable[..., Any], *first: Any, **more: Any) -> Any:
        """Return what an author's function returns for this case; `name` is its name in errors."""
        try:
            return function(*first, *self.args, **self.kwargs, **more)
        except Exception as error:
            raise ValueError(f"{name}: {type(error).__name__}: {error}, on {self}") from error


@dataclass(frozen=True)
class Fresh:
    """Hidden cases that are drawn anew for each exam, so that knowing earlier ones does not help.

    Parameters
    ----------
    make
        A function of a ``numpy.random.Generator`` that returns a `Case`. The build tries it with
        several seeds. Every case that it can draw must be one that `words` describes.
    words
        The cases in words, as for `Case`.
    count
        The number of cases to draw, from 1 to 20.
    raises
        The error that each of these calls must raise, as for `Case`.

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
        """Return the cases of the exam with this seed; check name and position vary the draw."""
        return [self._case(name, position, i, seed) for i in range(self.count)]

    def _case(self, name: str, position: int, i: int, seed: int) -> Case:
        rng = np.random.default_rng([seed, zlib.crc32(f"{name} {position} {i}".encode())])
        try:
            made = self.make(rng)
        except Exception as error:
            raise ValueError(f"make: {type(error).__name__}: {error}: {self.words!r}") from error
        if not isinstance(made, Case):
            raise TypeError(f"make must return a Case, got {shown(made)}")
        words, raises = made.words or self.words, made.raises or self.raises
        return Case(*made.args, words=words, raises=raises, **made.kwargs)


@dataclass(frozen=True)
class Relative:
    """Rule that an answer is right within a relative error of the expected one.

    Parameters
    ----------
    tolerance
        The relative error, in (0, 1).
    absolute
        An absolute error that is allowed as well, for answers near 0. Finite, >= 0.

    Notes
    -----
    inf is right only where inf is expected, and NaN is never right.

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
    """Rule that an answer is right within an absolute error of the expected one.

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
    """Rule that an answer must equal the expected one: for integers and for True or False.

    Examples
    --------
    >>> Exact().to_data()
    {'relative': 0.0, 'absolute': 0.0}
    """

    def to_data(self) -> Compare:
        """Return the rule as JSON data."""
        return {"relative": 0.0, "absolute": 0.0}


Rule = Relative | Absolute | Exact

#: rule of comparison for a declaration that states no rule
NINE_DIGITS: Final = Relative(1e-9)


def require_rule(value: object) -> None:
    """Refuse a value that is no rule of comparison."""
    if not isinstance(value, Rule):
        raise TypeError(
            f"compare must be Relative(...), Absolute(...) or Exact(), got compare={shown(value)}"
        )


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and the message for a student who has its answer.

    Parameters
    ----------
    wrong
        The wrong implementation, a function of the arguments of a case. For a `Check` it returns
        the wrong answer (or raises an error), for a `RandomCheck` the wrong distribution.
    message
        The likely misconception, in a sentence or two.
    compare
        How close to the mistake's answer a wrong answer must be to be recognized; the check's own
        rule if None. A mistake that loses digits needs a rule of its own, because the order of the
        operations decides which wrong digits come out.
    """

    wrong: Callable[..., Any]
    message: str
    compare: Rule | None = None

    def __post_init__(self) -> None:
        require.function("wrong", self.wrong)
        require.text("message", self.message)
        if self.compare is not None:
            require_rule(self.compare)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Base class of the declarations of all kinds."""

    name: str
    points: float
    call: str
    visible: Sequence[Any]
    hidden: Sequence[Any] = ()
    mistakes: Sequence[Mistake] = ()
    builds_on: Sequence[str] = ()
    book: str = ""

    #: classes of which `visible` and `hidden` may hold instances
    _visible_kinds: ClassVar[tuple[type, ...]] = (Case,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Case, Fresh)

    #: whether the hidden part repeats the visible cases, so it exists even without hidden cases
    asked_again: ClassVar[bool] = False

    #: fields that authors must not set for this kind, with the reason ("raises" belongs to cases)
    _refused: ClassVar[Mapping[str, str]] = {}

    def __post_init__(self) -> None:
        require.label("name", self.name, "of the form lower_case_2")
        require.number("points", self.points, _check.POSITIVE)
        if not (isinstance(self.call, str) and self.call.isidentifier()):
            raise ValueError(f"call must be the name of a function, got call={shown(self.call)}")
        if not isinstance(self.book, str) or not is_place(self.book):
            raise ValueError(f"book must be {forms()}, got book={shown(self.book)}")
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
            require.label("builds_on", name, "names of checks, of the form lower_case_2")
        for mistake in self.mistakes:
            if not isinstance(mistake, Mistake):
                raise TypeError(f"mistakes must hold Mistake(...) only, got {shown(mistake)}")
        kind = type(self).__name__
        article = "an" if kind[0] in "AEIOU" else "a"
        for name, why in self._refused.items():
            if name == "raises":
                value = [case.raises for case in (*self.visible, *self.hidden) if case.raises]
            else:
                value = getattr(self, name)
            if value:
                raise ValueError(
                    f"{name} must not be given in {article} {kind}: {why}, got {shown(value)}"
                )

    def group(self, hidden: bool) -> Sequence[Any]:
        """Return the hidden cases if `hidden` is true, and otherwise the visible cases."""
        return self.hidden if hidden else self.visible

    def recognise(self, rule: Rule) -> list[Compare]:
        """Return for each mistake the rule for comparing a student's answer with its answer."""
        return [(mistake.compare or rule).to_data() for mistake in self.mistakes]

    def drawn(self, seed: int) -> Self:
        """Return the check with each `Fresh` replaced by the cases of one exam."""
        cases: list[Any] = []
        for position, case in enumerate(self.hidden):
            if isinstance(case, Fresh):
                cases += case.cases(self.name, position, seed=seed)
            else:
                cases.append(case)
        return replace(self, hidden=tuple(cases))
