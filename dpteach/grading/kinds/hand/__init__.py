"""The kind of item for numbers that a student computes by hand, before writing any code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import reduce, shown
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.comparing import entries
from dpteach.grading.kinds.declaration import Case, Declaration
from dpteach.grading.kinds.hand import judge
from dpteach.grading.kinds.kind import Kind, each

_, _n = catalog("kinds")

#: the largest number of numbers that an item can ask for
MAX_ENTRIES: Final = 20


@dataclass(frozen=True, kw_only=True)
class HandCheck(Declaration):
    """Declaration of an item for numbers, or a small table of them, that are computed on paper.

    The student's function takes no argument and returns the numbers; its docstring says which
    numbers, and to how many decimal places. The visible check reports at once whether the answer
    has the required form, and describes the misconception behind a known wrong number, but does
    not say whether the numbers are right. When the item is graded, each right number earns an
    equal fraction of the points, independently of the other numbers. An answer that does not have
    the required form earns nothing.

    Parameters
    ----------
    name, points, call, builds_on, book
        As for `Check`.
    visible
        One `Case`: the arguments with which `expected` and the mistakes are called. The student's
        function does not get them. The default is ``[Case()]``, which has no arguments.
    expected
        The reference, which returns the number, a list of numbers, or a list of rows. Infinity is
        allowed.
    digits
        The number of decimal places that the text of the item asks for, 0 to 12.
    tolerance
        The allowed error of a rounded answer, in units of the last decimal place, 0 to 5. With 1,
        answers that were truncated instead of rounded are accepted.
    mistakes
        Functions that return wrong numbers in the same form. Each wrong number of such a function
        is recognized at its position in an answer, independently of the other numbers.
    together
        Whether a mistake is recognized only if all numbers agree with it. This is for numbers such
        as weights, of which a single wrong one is no evidence of the mistake. Then `tolerance`
        must be 0. Right numbers still earn their fraction of the points.
    nonzero
        How many of the numbers are not 0, if the text of the item states this, and otherwise None.
        If it is stated, an answer with more or fewer nonzero numbers earns nothing, and the visible
        check says so at once, or shows the message of a known mistake instead. Only the nonzero
        numbers then earn points, because the zeros can be guessed.
    sorts
        The property of each number, row by row: "whole" for a count, "probability", "positive" for
        a number that cannot be negative, such as an epsilon, or "any". A number without its
        property is refused at once and earns nothing; the other numbers still earn their points.
        The default, an empty list, states no properties.

    Examples
    --------
    >>> import math
    >>> from dpteach.grading import Mistake
    >>> check = HandCheck(
    ...     name="half_life", points=1, call="half_life", visible=[Case(0.1)], digits=4,
    ...     expected=lambda rate: math.log(2) / rate,
    ...     mistakes=[Mistake(lambda rate: 1 / rate, "After 1 / rate a share 1/e is left.")],
    ...     book="renyi_dp#x",
    ... )
    >>> from dpteach.grading.author.parts import declared
    >>> from dpteach.grading.student.runner import run
    >>> visible, hidden = declared(check)
    >>> print(run(lambda: 10.0, visible)[0].misconception)
    After 1 / rate a share 1/e is left.
    >>> run(lambda: 6.5, visible)[0].passed, run(lambda: 6.5, hidden)[0].passed
    (True, False)
    >>> run(lambda: 6.9314, hidden)[0].passed
    True
    """

    visible: Sequence[Any] = (Case(),)
    expected: Callable[..., Any]
    digits: int
    tolerance: int = 1
    together: bool = False
    nonzero: int | None = None
    sorts: Sequence[str] = ()

    asked_again = True
    _refused: ClassVar[Mapping[str, str]] = {
        "hidden": N_("there is one right answer"),
        "raises": N_("it asks for numbers"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("expected", self.expected)
        require.integer("digits", self.digits, 0, 12)
        require.integer("tolerance", self.tolerance, 0, 5)
        if self.nonzero is not None:
            require.integer("nonzero", self.nonzero, 0, MAX_ENTRIES)
        known = not isinstance(self.sorts, str) and set(self.sorts) <= set(judge.SORTS)
        words = _("must be a list of {names}", names=", ".join(judge.SORTS))
        require.that(known, "sorts", words, self.sorts)
        require.flag("together", self.together)
        words = _("must be 0 if mistakes are recognized by all their numbers together")
        require.that(not (self.together and self.tolerance), "tolerance", words, self.tolerance)
        require.that(len(self.visible) == 1, "visible", _("must hold one case"), self.visible)
        if any(mistake.compare is not None for mistake in self.mistakes):
            raise ValueError(
                _("compare must not be given in a HandCheck: digits and tolerance say it")
            )


def _part(check: HandCheck, about: Part[Any], rng: np.random.Generator) -> judge.HandPart:
    """Return the visible or hidden part of a check; only the hidden part has the right numbers.

    Raises
    ------
    ValueError
        If the reference and the mistakes do not all return numbers in the same form, or if the
        right numbers are all 0, all 1 or all infinite, which students would guess.
    """
    case, hidden = check.visible[0], about["hidden"]
    right = _numbers("expected", check.expected, case)
    wanted = _units(right, check.digits)
    _refuse(check, right, wanted)
    salt = str(rng.integers(2**63)) if hidden else check.name
    data: judge.HandCase = {"args": [], "kwargs": {}, "words": case.words, "mistakes": []}
    for mistake in check.mistakes:
        wrong = _numbers("mistakes", mistake.wrong, case)
        name = _("wrong of {message!r}", message=mistake.message)
        words = _("numbers in the form of {right}", right=shown(right))
        require.returned(judge.form(wrong) == judge.form(right), name, words, wrong)
        data["mistakes"].append(_fingerprints(check, salt, _units(wrong, check.digits), wanted))
    if hidden:
        data["expected"] = wanted
    return {
        **about,
        "digits": check.digits,
        "tolerance": check.tolerance,
        "together": check.together,
        "nonzero": check.nonzero,
        "sorts": list(check.sorts),
        "form": judge.form(right),
        "salt": salt,
        "cases": [data],
    }


def _refuse(check: HandCheck, right: Any, wanted: Sequence[judge.Units]) -> None:
    """Raise an error if the right numbers contradict the declaration or are easily guessed."""
    count = sum(number != 0 for number in wanted)
    words = _("must be {count}, the number of expected numbers other than 0", count=count)
    require.that(check.nonzero in (None, count), "nonzero", words, check.nonzero)
    guessed = len(set(wanted)) == 1 and wanted[0] in (0, 10**check.digits, "inf")
    require.returned(not guessed, "expected", _("numbers that are not easily guessed"), right)
    some = len(check.sorts) in (0, len(wanted))
    words = _("must be a list of {count} properties, one for each number", count=len(wanted))
    require.that(some, "sorts", words, check.sorts)
    both = zip(wanted, check.sorts, strict=False)
    fitting = not any(judge.unlike(number, sort, check.digits) for number, sort in both)
    words = _("must be properties of the numbers of {right}", right=shown(right))
    require.that(fitting, "sorts", words, check.sorts)


def _fingerprints(
    check: HandCheck, salt: str, wrong: Sequence[judge.Units], wanted: Sequence[judge.Units]
) -> list[str | None]:
    """Return hashes by which the grader recognizes the numbers of a mistake in an answer.

    There is one hash per number, or, if `check.together` is true, one hash of all numbers. None
    replaces the hash of a number that the mistake gets right.
    """
    if check.together:
        wrong, wanted = [judge.whole(wrong)], [judge.whole(wanted)]
    # a mistake's number gets no hash if it is so close to the right number that an answer could be
    # within the tolerance of both
    return [
        None if judge.near(*both, 2 * check.tolerance) else judge.fingerprint(salt, place, both[0])
        for place, both in enumerate(zip(wrong, wanted, strict=True))
    ]


def _caught(part: judge.HandPart) -> list[bool]:
    return [any(kept) for kept in part["cases"][0]["mistakes"]]


def _differs(part: judge.HandPart) -> str:
    """Return a message on why the instructor's solution fails the hidden part of a check."""
    digits, tolerance = part["digits"], part["tolerance"]
    wanted = ", ".join(judge.written(number, digits) for number in part["cases"][0]["expected"])
    return _(
        "the instructor's solution does not return the numbers of expected, {wanted}: to {digits} "
        "decimal places, the last of which may be off by {tolerance}",
        wanted=wanted,
        digits=digits,
        tolerance=tolerance,
    )


def _numbers(name: str, function: Callable[..., Any], case: Case) -> Any:
    """Call an author's function, and return its value: a number, a list, or a list of rows."""
    value = case.of(name, lambda *args, **kwargs: reduce(function(*args, **kwargs)))
    found = list(entries(value))
    plain = all(type(number) in (int, float) and number == number for number in found)
    words = _("1 to {most} numbers: one, a list or rows of equal length", most=MAX_ENTRIES)
    several = 1 <= len(found) <= MAX_ENTRIES
    require.returned(plain and several and _even(judge.form(value)), name, words, value)
    return value


def _even(shape: Any) -> bool:
    """Return whether a form is that of a number, a list, or rows of equal length.

    A form is an answer in which 0 replaces each number.
    """
    return shape == 0 or shape in ([0] * len(shape), [[0] * len(shape[0] or [])] * len(shape))


def _units(value: Any, digits: int) -> list[judge.Units]:
    return [judge.units(number, digits) for number in entries(value)]


KIND = Kind(
    name="hand",
    title="by hand",
    minutes=5,
    declaration=HandCheck,
    part=_part,
    caught=_caught,
    unsolved=_differs,
    judged=each(judge.judge_hand),
    called=lambda part, case: f"{part['call']}()",
    earning=judge.earning,
    said=judge.said,
    form_only=True,
)
