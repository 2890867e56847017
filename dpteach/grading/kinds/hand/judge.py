"""The verdict on numbers that were computed by hand.

The visible part of a check reports whether the answer has the required form, and describes the
misconception behind a typical wrong number. This part must not reveal the right numbers. Therefore
it contains only hashes of typical wrong numbers: from a wrong number itself, such as the value in
bits instead of nats, a student could compute the right number. The hidden part reports which
numbers are right.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NotRequired, TypeAlias

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.core.reasons import enumerated
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import entries
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import Found

_, _n = catalog("kinds")

#: the properties that the text of an assignment may state of a number
SORTS: Final = ("any", "whole", "probability", "positive")

#: a wrong number with at most this relative error probably results from rounding too early
_ROUNDED: Final = 0.01

#: the largest relative error at which a number counts as the right one with too few decimal places;
#: 0.4 for 0.3616 has an error of 11 %, for example
_SHORT: Final = 0.25

#: the number of rounds of hashing. With so many rounds, it takes long to find a number by hashing
#: all numbers of six digits, but a check takes only a few milliseconds
_ROUNDS: Final = 2_000

#: a number as a multiple of the last decimal place that the item asks for, such as 314 for 3.14;
#: infinity as the text "inf" or "-inf"
Units: TypeAlias = int | str


class HandCase(Call):
    """The only case of a check of numbers that are computed by hand (`HandCheck`).

    In the hidden part, ``expected`` has the right numbers as `Units`. For each declared mistake,
    ``mistakes`` has a hash of each of its numbers, or one hash of all its numbers together; None
    replaces the hash of a number that is right.
    """

    expected: NotRequired[list[Units]]
    mistakes: list[list[str | None]]


class HandPart(Part[HandCase]):
    """A part of a `HandCheck`; ``form`` is a right answer in which 0 replaces each number."""

    digits: int
    tolerance: int
    together: bool
    nonzero: int | None
    sorts: list[str]
    form: Any
    salt: str


def units(value: float, digits: int) -> Units:
    """Return a number as a multiple of 10^-digits, rounded to an integer; infinity as a text.

    Examples
    --------
    >>> units(0.1438408, 6), units(7, 2), units(float("-inf"), 6)
    (143841, 700, '-inf')
    """
    if isinstance(value, float) and math.isinf(value):
        return repr(value)
    return round(Fraction(value) * Fraction(10) ** digits)


def near(one: Units, other: Units, tolerance: int) -> bool:
    """Return whether two numbers, as returned by `units`, differ by at most the tolerance.

    Examples
    --------
    >>> near(143841, 143840, 1), near("inf", 10**400, 1)
    (True, False)
    """
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= tolerance


def fingerprint(salt: str, place: int, number: Units) -> str:
    """Return a hash by which a wrong number is recognized.

    Parameters
    ----------
    salt
        The field ``salt`` of the check's part, a text that is hashed together with the number.
    place
        The index of the number in the answer.
    number
        The number, as returned by `units`.
    """
    text = f"{place} {number}".encode()
    return hashlib.pbkdf2_hmac("sha256", text, salt.encode(), _ROUNDS).hex()[:16]


def whole(numbers: Sequence[Units]) -> str:
    """Return numbers as one text, so that one hash can identify a mistake by all its numbers.

    >>> whole([5, -10, "inf"])
    '5 -10 inf'
    """
    return " ".join(map(str, numbers))


def form(value: Any) -> Any:
    """Return the form of an answer: the answer with each number replaced by 0."""
    return [form(item) for item in value] if isinstance(value, list) else 0


def judge_hand(part: HandPart, case: HandCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with a student's numbers, or None if no fault is found.

    In the visible part, the faults are a wrong form, impossible numbers and known mistakes. In the
    hidden part, each wrong number is a fault, too, and the returned object also has the fraction of
    the points that the right numbers earn. An answer of a wrong form earns nothing.
    """
    expected = _form_text(part)
    failure = failures.unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    value = outcome["value"]
    # feedback on a hidden part does not show the returned numbers, because the student's code
    # could return arguments of other items' hidden cases
    returned = failures.rough(value) if part["hidden"] else shown(value)
    note = _form_note(value, part["form"])
    if note:
        return Failure(returned, expected, note)
    given = [units(number, part["digits"]) for number in entries(value)]
    kept = _recognised(part, case, given)
    most = max(map(len, kept.values()), default=0)
    named = frozenset(i for i, places in kept.items() if len(places) == most)
    told = _explained(part, given, kept) if named else ""
    if told:
        those = {place + 1 for places in kept.values() for place in places}
        other = "" if part["together"] else _unlike(part, given, without=those)
        told = " ".join(filter(None, [told, other]))
    # refuse numbers that cannot be right, such as a probability above 1, unless they are those of a
    # known mistake, whose message is more useful
    refused = "" if named else _miscounted(part, given) or _unlike(part, given)
    if not part["hidden"]:
        failed = named or refused
        return Failure(returned, expected, refused, named, told=told) if failed else None
    right = case["expected"]
    places = range(1, len(given) + 1)
    good = [i for i in places if near(given[i - 1], right[i - 1], part["tolerance"])]
    wrong = [i for i in places if i not in good]
    if not wrong:
        return None
    again, explained = _near_misses(part, list(entries(value)), right, wrong)
    if len(given) == 1:
        hint = " ".join(again) or _("Compute the number again, step by step.")
        return Failure(returned, expected, refused, named, fallback=hint, told=told)
    if sorted(map(str, given)) == sorted(map(str, right)):
        again = [_("These are the right numbers in the wrong order.")]
    elif explained < len(wrong):
        again.append(_("Compute the wrong numbers again, to the decimal places asked for."))
    counting = _counting(part, given, right)
    earned = [i for i in good if i in counting]
    if counting:
        returned = _which(part, good, wrong, earned)
    worth = Fraction(len(earned), max(1, len(counting)))
    return Failure(
        returned, expected, refused, named, fallback=" ".join(again), told=told, worth=worth
    )


def earning(part: HandPart, found: Found) -> tuple[int, int]:
    """Return the fraction of points for the right numbers, as numerator and denominator."""
    worth = Fraction(1) if found[0] is None else found[0].worth
    return worth.numerator, worth.denominator


def _counting(part: HandPart, given: Sequence[Units], right: Sequence[Units]) -> list[int]:
    """Return the positions, from 1, of the numbers that can earn a share of the points.

    If the text of the item states how many numbers are not 0, zeros are easily guessed. Then only
    the nonzero numbers earn points, and an answer with more or fewer nonzero numbers earns none.
    """
    if part["nonzero"] is None:
        return list(range(1, len(right) + 1))
    if _miscounted(part, given):
        return []
    return [place for place, number in enumerate(right, start=1) if number != 0]


def _miscounted(part: HandPart, given: Sequence[Units]) -> str:
    """Return a message if the number of nonzero numbers is not as stated in the item, or ""."""
    wanted, count = part["nonzero"], sum(number != 0 for number in given)
    if wanted in (None, count):
        return ""
    return _n(
        "Exactly {wanted} of the numbers must differ from 0, and {count} of yours does.",
        "Exactly {wanted} of the numbers must differ from 0, and {count} of yours do.",
        count,
        wanted=wanted,
    )


def _near_misses(
    part: HandPart, values: Sequence[float], right: Sequence[Units], wrong: Sequence[int]
) -> tuple[list[str], int]:
    """Return hints about wrong numbers that are nearly right, and the number of such numbers.

    A number that is right except for its sign counts as nearly right.
    `values` are the student's numbers as they were returned, with all their decimal places.
    """
    told: list[str] = []
    short: list[int] = []  # the positions of the numbers with too few decimal places
    for place in wrong:
        one, other = units(values[place - 1], part["digits"]), right[place - 1]
        which = _number(part, values, place)
        if isinstance(one, str) or isinstance(other, str):
            continue
        if _cut_short(values[place - 1], other, part["digits"]):
            short.append(place)
        elif abs(one - other) <= _ROUNDED * abs(other):
            told.append(
                _(
                    "{number} is within 1 % of the right one: keep all digits of intermediate "
                    "results, and round only at the end.",
                    number=which,
                )
            )
        elif other and abs(one + other) <= _ROUNDED * abs(other):
            told.append(_("{number} has the wrong sign.", number=which))
    explained = len(told) + len(short)
    return ([_too_short(part, values, short), *told] if short else told), explained


def _too_short(part: HandPart, values: Sequence[float], places: Sequence[int]) -> str:
    """Return a hint about the numbers at these positions, which have too few decimal places."""
    if len(places) == 1:
        which = _number(part, values, places[0])
        agree = _("{number} agrees with the right one as far as it goes.", number=which)
    else:
        agree = _by_row(part) + _(
            "Numbers {places} agree with the right ones as far as they go.",
            places=enumerated([*map(str, places)]),
        )
    more = _n(
        "Give more digits, to {count} decimal place, as `round(x, {count})` returns them.",
        "Give more digits, to {count} decimal places, as `round(x, {count})` returns them.",
        part["digits"],
    )
    return f"{agree} {more}"


def _cut_short(value: float, right: int, digits: int) -> bool:
    """Return whether a number is the right one, rounded or cut off to fewer decimal places.

    The result is False for a number of one digit without decimal places, such as 6, because such a
    number may have another origin.

    Parameters
    ----------
    value
        The student's number, which is finite.
    right, digits
        The right number as a multiple of 10^-digits.

    Examples
    --------
    >>> [_cut_short(value, 6667, 4) for value in (0.7, 0.66, 0.667, 0.662, 1.0, 0.6667)]
    [True, True, True, False, False, False]
    """
    one = round(Fraction(value) * Fraction(10) ** digits)
    if abs(one - right) > _SHORT * abs(right):
        return False
    before, _point, after = f"{Decimal(repr(value)):f}".partition(".")
    missing = digits - len(after.rstrip("0"))
    if missing <= 0 or (missing == digits and len(before.strip("-0")) < 2):
        return False
    one, other = abs(one), abs(right)
    step: int = 10**missing
    return 2 * abs(one - other) <= step or one == other // step * step


def _form_note(value: object, wanted: Any) -> str:
    """Return a hint for an answer of the wrong form, or ""."""
    if wanted == 0 and isinstance(value, list) and len(value) == 2:
        return _(
            "The answer must be one number. Its decimal sign is a point: Python reads 0,5 as two "
            "numbers."
        )
    for entry in entries(value):
        # first check that each entry is a number, independently of the form of the answer
        note = failures.kind_note(entry, 0.0, hidden=False)
        if note:
            return note
    if form(value) == wanted:
        return ""
    return _("The answer must be {form}.", form=_form_words(wanted))


def unlike(number: Units, what: str, digits: int, tolerance: int = 0) -> str:
    """Return a code for the property `what` (see `SORTS`) if a number violates it, or "".

    The code is "whole" for a number that is not whole, "probability" for a number that is not in
    [0, 1], and "negative" for a negative number if `what` is "whole" or "positive".

    Examples
    --------
    >>> unlike(4495, "whole", 2), unlike(4500, "whole", 2), unlike(150, "probability", 2)
    ('whole', '', 'probability')
    >>> unlike(-100, "whole", 2), unlike(-103, "positive", 2), unlike("inf", "positive", 2)
    ('negative', 'negative', '')
    """
    one = 10**digits
    if what == "whole" and (isinstance(number, str) or (number + tolerance) % one > 2 * tolerance):
        return "whole"
    below = number == "-inf" if isinstance(number, str) else number < -tolerance
    if what in ("whole", "positive") and below:
        return "negative"
    last = one + tolerance
    if what == "probability" and (isinstance(number, str) or not -tolerance <= number <= last):
        return "probability"
    return ""


_IMPOSSIBLE: Final = {
    "whole": N_("{number} must be a whole number; yours is {read}."),
    "negative": N_("{number} cannot be negative; yours is {read}."),
    "probability": N_("{number} is a probability, from 0 to 1; yours is {read}."),
}


def _unlike(part: HandPart, given: Sequence[Units], without: Collection[int] = ()) -> str:
    """Return a message about the first number that violates the property stated for it, or "".

    The message shows the number, so the result for a hidden part is always "": the student's code
    could return an argument of another item's hidden case.

    Parameters
    ----------
    without
        The positions, from 1, of numbers to leave out, because students read another message about
        them.
    """
    if part["hidden"]:
        return ""
    digits, tolerance = part["digits"], part["tolerance"]
    for place, both in enumerate(zip(given, part["sorts"], strict=False), start=1):
        why = "" if place in without else unlike(*both, digits, tolerance)
        if why:
            number, read = _number(part, given, place), written(both[0], digits)
            text = _IMPOSSIBLE[why]
            return _(text, number=number, read=read)
    return ""


def _recognised(part: HandPart, case: HandCase, given: Sequence[Units]) -> dict[int, list[int]]:
    """Return for each recognized mistake which of the student's numbers match it.

    The keys are indices of mistakes, and the values are lists of indices of numbers. If the part
    compares all numbers together, each value is [0].
    """
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
    # if all given numbers are the same round number, they are probably placeholders, which may
    # agree with one number of a mistake by chance; then the mistake must explain more than half of
    # them
    first = given[0]
    is_round = isinstance(first, str) or 2 * first % 10 ** part["digits"] == 0
    least = len(given) // 2 + 1 if is_round and len(set(given)) == 1 else 1
    return {i: places for i, places in found.items() if len(places) >= least}


def _explained(part: HandPart, given: Sequence[Units], kept: Mapping[int, Sequence[int]]) -> str:
    """Return the messages of recognized mistakes, with the positions of the numbers they explain.

    If several mistakes explain a number, only the mistakes that explain the most numbers count.
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
    by_row = _by_row(part)
    return by_row + " ".join(
        _n(
            "Number {places}: {message}",
            "Numbers {places}: {message}",
            len(places),
            places=enumerated([*map(str, places)]),
            message=message,
        )
        for places, message in zip(about.values(), messages, strict=True)
    )


def _number(part: HandPart, given: Sequence[object], place: int) -> str:
    """Return the subject of a sentence about a number, such as "Number 2" for position 2."""
    if len(given) == 1:
        return _("The number")
    if any(part["form"] or ()):
        return _("Number {place}, counted row by row,", place=place)
    return _("Number {place}", place=place)


def _by_row(part: HandPart) -> str:
    """Return a text that states how positions in a table are counted, or "" for a list."""
    return _("Counted row by row: ") if any(part["form"] or ()) else ""


def _which(part: HandPart, good: Sequence[int], wrong: Sequence[int], earned: Sequence[int]) -> str:
    """Return a text that states which of a student's numbers are right.

    Parameters
    ----------
    good, wrong
        The positions of the right numbers and of the wrong numbers.
    earned
        The positions of the numbers that earn points. A right 0 earns none if the text of the item
        states how many numbers are not 0 (``part["nonzero"]``).

    Examples
    --------
    >>> _which({"nonzero": None, "form": [0, 0, 0]}, [1, 3], [2], [1, 3])
    'numbers 1 and 3 are right (2 of 3), and number 2 is not'
    >>> _which({"nonzero": 2, "form": [0, 0, 0]}, [1, 3], [2], [1])
    'of the 2 numbers that are not 0, number 1 is right'
    """
    wanted, total = part["nonzero"], len(good) + len(wrong)
    if not earned and wanted is None:
        return _("none of the {total} numbers is right", total=total)
    if not earned:
        return _("none of the {total} numbers that are not 0 is right", total=wanted)
    right = _n(
        "number {places} is right",
        "numbers {places} are right",
        len(earned),
        places=enumerated([*map(str, earned)]),
    )
    if wanted is not None:
        right = _("of the {total} numbers that are not 0, {right}", total=wanted, right=right)
        return _by_row(part) + right
    return _by_row(part) + _n(
        "{right} ({good} of {total}), and number {places} is not",
        "{right} ({good} of {total}), and numbers {places} are not",
        len(wrong),
        right=right,
        good=len(good),
        total=total,
        places=enumerated([*map(str, wrong)]),
    )


def _form_text(part: HandPart) -> str:
    """Return a text on the form that the answer must have, including its decimal places."""
    words = _form_words(part["form"])
    if not part["digits"]:
        return _("{form}, rounded to whole numbers", form=words)
    return _n(
        "{form}, to {count} decimal place",
        "{form}, to {count} decimal places",
        part["digits"],
        form=words,
    )


def _form_words(wanted: Any) -> str:
    """Return a text on the form that the answer must have, without its decimal places."""
    if wanted == 0:
        return _("one number")
    if wanted[0] == 0:
        return _n("a list of {count} number", "a list of {count} numbers", len(wanted))
    return _("a list of {rows} rows of {columns} numbers", rows=len(wanted), columns=len(wanted[0]))


def said(part: HandPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return a text that repeats the student's numbers as the grader reads them.

    The text does not say whether the numbers are right; it says that the feedback after grading
    will tell. The result is "" for the hidden part, and if the visible part finds a fault.
    """
    if part["hidden"] or found[0] is not None:
        return ""
    digits, numbers = part["digits"], list(entries(outcomes[0]["value"]))
    read = ", ".join(written(units(x, digits), digits) for x in numbers)
    return _(
        "can be read, as {numbers}. The notebook cannot check whether it is right; the feedback "
        "after grading tells you.",
        numbers=read,
    )


def written(number: Units, digits: int) -> str:
    """Return a number in `Units` as a decimal text, or, for a huge number, a text on its length."""
    if isinstance(number, str):
        return number
    if abs(number) >= 10**30:
        before = len(str(abs(number))) - digits
        return _n(
            "a number with {count} digit before the point",
            "a number with {count} digits before the point",
            before,
        )
    return f"{Decimal(number).scaleb(-digits):f}"
