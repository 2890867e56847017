"""The verdict on numbers that were worked out by hand.

The visible part tells whether what stands there is an answer of the right form, and a misconception
that is known, but not the number: of the wrong numbers it holds fingerprints only, for whoever
knows that a number is the right one in bits knows the right one. Whether the numbers are right,
the hidden part tells.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NotRequired, TypeAlias

from dpteach.grading.core.plain import shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import entries
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import Found

#: what the text may say of a number
SORTS: Final = ("any", "whole", "probability", "positive")

#: a wrong number as near to the right one, by its share, was probably rounded on the way
_ROUNDED: Final = 0.01

#: rounds of hashing: to try all numbers of six digits takes long, a check a few milliseconds
_ROUNDS: Final = 2_000

_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)

#: a number in units of the last digit asked for; infinity by its name
Units: TypeAlias = int | str


class HandCase(Call):
    """The only case.

    ``expected`` has the right numbers in units, in the hidden part; ``mistakes`` the fingerprints
    of each mistake's numbers, or one of all of them together, and None where they are right.
    """

    expected: NotRequired[list[Units]]
    mistakes: list[list[str | None]]


class HandPart(Part[HandCase]):
    """A part of a `HandCheck`; ``form`` is the answer's, see `form`."""

    digits: int
    tolerance: int
    together: bool
    nonzero: int | None
    sorts: list[str]
    form: Any
    salt: str


def units(value: float, digits: int) -> Units:
    """Return a number in units of the last digit asked for, rounded; infinity as its name.

    Examples
    --------
    >>> units(0.1438408, 6), units(7, 2), units(float("-inf"), 6)
    (143841, 700, '-inf')
    """
    if isinstance(value, float) and math.isinf(value):
        return repr(value)
    return round(Fraction(value) * Fraction(10) ** digits)


def near(one: Units, other: Units, tolerance: int) -> bool:
    """Whether two numbers in units are as near as that.

    Examples
    --------
    >>> near(143841, 143840, 1), near("inf", 10**400, 1)
    (True, False)
    """
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= tolerance


def fingerprint(salt: str, place: int, number: Units) -> str:
    """Return what is kept of a wrong number, by which it is known again.

    Parameters
    ----------
    salt
        The part's own.
    place
        Which of the numbers it is.
    number
        In units.
    """
    text = f"{place} {number}".encode()
    return hashlib.pbkdf2_hmac("sha256", text, salt.encode(), _ROUNDS).hex()[:16]


def whole(numbers: Sequence[Units]) -> str:
    """Return all numbers as one, where they are recognised together.

    >>> whole([5, -10, "inf"])
    '5 -10 inf'
    """
    return " ".join(map(str, numbers))


def form(value: Any) -> Any:
    """Return the form of an answer: the same with each number as 0."""
    return [form(item) for item in value] if isinstance(value, list) else 0


def judge_hand(part: HandPart, case: HandCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the numbers, and in the hidden part what the right ones are worth.

    What cannot be read as numbers of the form asked for earns nothing.
    """
    expected = _form_text(part)
    failure = failures.unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    value = outcome["value"]
    # by then the function may know the hidden cases of others, and could return what it knows
    returned = failures.rough(value) if part["hidden"] else shown(value)
    note = _form_note(value, part["form"])
    if note:
        return Failure(returned, expected, note)
    given = [units(number, part["digits"]) for number in entries(value)]
    kept = _recognised(part, case, given)
    most = max(map(len, kept.values()), default=0)
    named = frozenset(i for i, places in kept.items() if len(places) == most)
    told = _explained(part, given, kept) if named else ""
    # a known mistake says more than that its numbers cannot be right
    refused = "" if named else _miscounted(part, given) or _unlike(given, part)
    if not part["hidden"]:
        failed = named or refused
        return Failure(returned, expected, refused, named, told=told) if failed else None
    right = case["expected"]
    places = range(1, len(given) + 1)
    good = [i for i in places if near(given[i - 1], right[i - 1], part["tolerance"])]
    wrong = [i for i in places if i not in good]
    if not wrong:
        return None
    again = _near_misses(part, given, right, wrong)
    if len(given) == 1:
        again = again or "Work it out once more, step by step."
        return Failure(returned, expected, refused, named, fallback=again)
    if sorted(map(str, given)) == sorted(map(str, right)):
        again = "These are the numbers that were asked for, in another order."
    else:
        again += (
            " Work out again what is not right, and give as many digits as the docstring asks for."
        )
    counting = _counting(part, given, right)
    earned = [i for i in good if i in counting]
    if counting:
        returned = _which(part, good, wrong, earned)
    worth = Fraction(len(earned), max(1, len(counting)))
    return Failure(
        returned, expected, refused, named, fallback=again.lstrip(), told=told, worth=worth
    )


def earning(part: HandPart, found: Found) -> tuple[int, int]:
    """Return the share of the numbers that are right."""
    worth = Fraction(1) if found[0] is None else found[0].worth
    return worth.numerator, worth.denominator


def _counting(part: HandPart, given: Sequence[Units], right: Sequence[Units]) -> list[int]:
    """Return the places of the numbers that earn a share.

    If the text says how many numbers are not 0, whoever knows that gets most zeros right, so only
    the others earn something, and an answer with more or fewer of them earns nothing.
    """
    if part["nonzero"] is None:
        return list(range(1, len(right) + 1))
    if _miscounted(part, given):
        return []
    return [place for place, number in enumerate(right, start=1) if number != 0]


def _miscounted(part: HandPart, given: Sequence[Units]) -> str:
    """Return that too many or too few numbers are 0, where the text says how many are, or ""."""
    wanted, count = part["nonzero"], sum(number != 0 for number in given)
    if wanted in (None, count):
        return ""
    return f"Exactly {wanted} of the numbers are to be other than 0; here it is {count}."


def _near_misses(
    part: HandPart, given: Sequence[Units], right: Sequence[Units], wrong: Sequence[int]
) -> str:
    """Return what may be wrong with numbers that are nearly right, or right but for their sign."""
    told = []
    for place in wrong:
        one, other = given[place - 1], right[place - 1]
        which = _number(part, given, place)
        if isinstance(one, str) or isinstance(other, str):
            continue
        if abs(one - other) <= _ROUNDED * abs(other):
            told.append(
                f"{which} is within 1 % of the right one: carry all digits on the way, and round "
                "at the end only."
            )
        elif other and abs(one + other) <= _ROUNDED * abs(other):
            told.append(f"{which} has the wrong sign.")
    return " ".join(told)


def _form_note(value: object, wanted: Any) -> str:
    """Return what an answer of the wrong form should be told, or ""."""
    if wanted == 0 and isinstance(value, list) and len(value) == 2:
        return "One number was asked for. Its decimal sign is a point: 0,5 makes two numbers."
    for entry in entries(value):
        # what stands in the place of a number, wherever it stands
        note = failures.kind_note(entry, 0.0, hidden=False)
        if note:
            return note
    return "" if form(value) == wanted else f"Asked for was {_form_words(wanted)}."


def unlike(number: Units, what: str, digits: int, tolerance: int = 0) -> str:
    """Return why a number in units is not what it is said to be, one of `SORTS`, or "".

    Examples
    --------
    >>> unlike(4495, "whole", 2), unlike(4500, "whole", 2), unlike(150, "probability", 2)
    ('is to be a whole number', '', 'is a probability, from 0 to 1')
    >>> unlike(-100, "whole", 2), unlike(-103, "positive", 2), unlike("inf", "positive", 2)
    ('cannot be negative', 'cannot be negative', '')
    """
    one = 10**digits
    if what == "whole" and (isinstance(number, str) or (number + tolerance) % one > 2 * tolerance):
        return "is to be a whole number"
    below = number == "-inf" if isinstance(number, str) else number < -tolerance
    if what in ("whole", "positive") and below:
        return "cannot be negative"
    last = one + tolerance
    if what == "probability" and (isinstance(number, str) or not -tolerance <= number <= last):
        return "is a probability, from 0 to 1"
    return ""


def _unlike(given: Sequence[Units], part: HandPart) -> str:
    """Return the first number that is not what the text says of it, in words, or ""."""
    digits, tolerance = part["digits"], part["tolerance"]
    for place, both in enumerate(zip(given, part["sorts"], strict=False), start=1):
        why = unlike(*both, digits, tolerance)
        if why:
            return f"{_number(part, given, place)} {why}; here it is {written(both[0], digits)}."
    return ""


def _recognised(part: HandPart, case: HandCase, given: Sequence[Units]) -> dict[int, list[int]]:
    """Return the declared mistakes that have one of these numbers, each with their places."""
    tolerance = part["tolerance"]
    if part["together"]:
        given = [whole(given)]
    found: dict[int, list[int]] = {}
    for place, number in enumerate(given):
        kept = {i: wrong[place] for i, wrong in enumerate(case["mistakes"]) if wrong[place]}
        tried: Sequence[Units] = [number]
        if isinstance(number, int):
            tried = range(number - tolerance, number + tolerance + 1)
        known = {fingerprint(part["salt"], place, one) for one in tried} if kept else set()
        for i, print_ in kept.items():
            if print_ in known:
                found.setdefault(i, []).append(place)
    return found


def _explained(part: HandPart, given: Sequence[Units], kept: Mapping[int, Sequence[int]]) -> str:
    """Return the messages of the mistakes, and which numbers each is about.

    A number that several mistakes have is that of those that have the most of them.
    """
    about: dict[tuple[int, ...], list[int]] = {}
    for place in sorted({place for places in kept.values() for place in places}):
        those = [i for i in sorted(kept) if place in kept[i]]
        most = max(len(kept[i]) for i in those)
        fitting = tuple(i for i in those if len(kept[i]) == most)
        about.setdefault(fitting, []).append(place + 1)
    messages = [failures.all_of(part["messages"], fitting) for fitting in about]
    if part["together"] or list(map(len, about.values())) == [len(given)]:
        return " ".join(messages)
    counted = _counted(part)
    names = [
        f"Number{'s' * (len(places) > 1)} {_listed(places)}{counted}" for places in about.values()
    ]
    return " ".join(f"{name}: {message}" for name, message in zip(names, messages, strict=True))


def _number(part: HandPart, given: Sequence[Units], place: int) -> str:
    return "It" if len(given) == 1 else f"Number {place}{_counted(part)}"


def _counted(part: HandPart) -> str:
    """Return how the numbers of a table are counted, or "" where they stand in one row."""
    return ", counted row by row," if any(part["form"] or ()) else ""


def _which(part: HandPart, good: Sequence[int], wrong: Sequence[int], earned: Sequence[int]) -> str:
    """Return which of several numbers are right.

    Parameters
    ----------
    good, wrong
        The places of those that are right and of those that are not.
    earned
        The places of those that earn a share.

    Examples
    --------
    >>> _which({"nonzero": None, "form": [0, 0, 0]}, [1, 3], [2], [1, 3])
    'the first and the third number are right (2 of 3); the second is not'
    >>> _which({"nonzero": 2, "form": [0, 0, 0]}, [1, 3], [2], [1])
    'of the 2 numbers that are not 0, the first number is right'
    """
    wanted, counted = part["nonzero"], _counted(part).removeprefix(", ")
    if not earned:
        which = "numbers" if wanted is None else "numbers that are not 0"
        return f"none of the {wanted or len(good) + len(wrong)} {which} is right"
    right = f"{_places(earned)} number {_is(earned)} right"
    if wanted is not None:
        return f"of the {wanted} numbers that are not 0, {right}"
    said = f"{right} ({len(good)} of {len(good) + len(wrong)}); {_places(wrong)} {_is(wrong)} not"
    return f"{counted} {said}".lstrip()


def _places(those: Sequence[int]) -> str:
    return _listed([f"the {_nth(place)}" for place in those])


def _is(those: Sequence[int]) -> str:
    return "is" if len(those) == 1 else "are"


def _listed(those: Sequence[object]) -> str:
    """
    >>> _listed([1]), _listed([1, 2, 5])
    ('1', '1, 2 and 5')
    """
    *first, last = map(str, those)
    return f"{', '.join(first)} and {last}" if first else last


def _nth(place: int) -> str:
    """
    Of numbers there are at most 20.

    >>> [_nth(place) for place in (1, 2, 10, 11)]
    ['first', 'second', 'tenth', '11th']
    """
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"


def _form_text(part: HandPart) -> str:
    digits = int(part["digits"])
    wanted = f"{digits} digit{'s' * (digits > 1)} after the point"
    return f"{_form_words(part['form'])}, {f'to {wanted}' if digits else 'rounded to units'}"


def _form_words(wanted: Any) -> str:
    if wanted == 0:
        return "one number"
    if wanted[0] == 0:
        return f"a list of {len(wanted)} numbers"
    return f"a list of {len(wanted)} rows of {len(wanted[0])} numbers"


def said(part: HandPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return how the numbers are read, and not whether they are right, in the visible part."""
    if part["hidden"] or found[0] is not None:
        return ""
    digits = part["digits"]
    read = ", ".join(written(units(x, digits), digits) for x in entries(outcomes[0]["value"]))
    wanted = f"{digits} digit{'s' * (digits > 1)} after the point" if digits else "whole numbers"
    return (
        f"can be read, as {read}. Whether it is right is told when it is graded; "
        f"asked for are {wanted}.{_short(part, list(entries(outcomes[0]['value'])))}"
    )


def _short(part: HandPart, given: Sequence[float]) -> str:
    """Return a note on numbers that have fewer digits than are asked for, or "".

    Zeros at the end of a float cannot be seen, so that it may have been meant: nothing is judged.
    """
    wanted = int(part["digits"])
    has = [(place, _digits(number)) for place, number in enumerate(given, start=1)]
    few = [(place, digits) for place, digits in has if 0 < digits < wanted]
    if not few:
        return ""
    if len(few) > 1:
        those = [place for place, _ in few]
        return f" Note: {_places(those)} have fewer, and are read with zeros after them."
    place, digits = few[0]
    which = "it" if len(given) == 1 else f"the {_nth(place)}"
    after = "it" if digits == 1 else "them"
    return f" Note: {which} has {digits}, and is read with zeros after {after}."


def _digits(number: float) -> int:
    """Return how many digits a number has after the point, as it is written; 0 for a whole one.

    >>> _digits(0.1838), _digits(2.0), _digits(1e-7), _digits(float("inf"))
    (4, 0, 7, 0)
    """
    if isinstance(number, int) or math.isinf(number) or number.is_integer():
        return 0
    exponent = Decimal(repr(number)).as_tuple().exponent
    return max(0, -int(exponent))


def written(number: Units, digits: int) -> str:
    """Return a number in units as it is read, or how long it is."""
    if isinstance(number, str):
        return number
    if abs(number) >= 10**30:
        return f"a number of {len(str(abs(number))) - digits} digits before the point"
    return f"{Decimal(number).scaleb(-digits):f}"
