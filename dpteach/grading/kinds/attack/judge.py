"""The verdict on attacks: how well they guess the secrets on average, and the points for it.

The student's process gets the outputs of the mechanism and returns guesses in the same order. The
secrets stay outside of this process. They are drawn independently, so neither the index of a call
nor the outputs of other calls contain information about a secret.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import decode, unsqueezed
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import entries
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import Found, arguments, in_words

_, _n = catalog("kinds")

#: hint for an attack that does not match a declared mistake
_FALLBACK: Final = N_(
    "For each possible secret, compute how likely all of these outputs are together, and multiply "
    "this by the prior probability of the secret. The best guess is the secret with the largest "
    "product."
)

#: largest number of declared mistakes that feedback mentions after submission; the most successful
#: mistakes are mentioned
TOLD: Final = 3

#: types of guesses and secrets that are compared as numbers
_NUMBERS: Final = frozenset({bool, int, float})

#: an attack is recognized as a declared mistake if at least this fraction of its guesses equal the
#: guesses of the mistake
SAME: Final = 0.99


class AttackCase(Call):
    """A case of an attack check, with the outputs and secrets of all runs of the mechanism.

    The outputs (``trials``), secrets and guesses are lists, which `plain.squeezed` has compressed
    to texts. For each declared mistake, ``reached`` has the mean of `hit` over its guesses, and
    ``mistakes`` has the guesses, or None if they earn all points.
    """

    trials: str
    secrets: str
    ceiling: float
    reached: list[float]
    mistakes: list[str | None]


class AttackPart(Part[AttackCase]):
    """A part of an attack check; ``first`` is the name of the first parameter of the attack.

    An attack earns nothing up to the `hit_rate` ``nothing_at``, and all points from ``full_at`` on.
    """

    first: str
    nothing_at: float
    full_at: float


def hit(guess: object, secret: object) -> float:
    """Return the value of a guess: 1 if it equals the secret, and otherwise 0.

    If the secret is a list, the value is the fraction of equal entries.

    Parameters
    ----------
    guess, secret
        Built-in numbers, strings, or nested lists of them. 1.0 and True equal 1.

    Examples
    --------
    >>> hit(1.0, 1), hit([1, 0, 0, 1], [1, 1, 0, 1]), hit([1, 0], [1, 0, 0]), hit("1", 1)
    (1.0, 0.75, 0.0, 0.0)
    """
    if isinstance(secret, list):
        if not isinstance(guess, list) or len(guess) != len(secret) or not secret:
            return 0.0
        # most secrets are lists of numbers, and for these, this computation is faster
        if _NUMBERS.issuperset(map(type, guess)) and _NUMBERS.issuperset(map(type, secret)):
            return float(sum(map(operator.eq, guess, secret)) / len(secret))
        return sum(hit(one, other) for one, other in zip(guess, secret, strict=True)) / len(secret)
    if isinstance(secret, str) or isinstance(guess, str):
        return float(type(guess) is type(secret) and guess == secret)
    return float(isinstance(guess, (bool, int, float)) and guess == secret)


def hit_rate(guesses: Sequence[Any], secrets: Sequence[Any]) -> float:
    """Return the mean of `hit` over all guesses, given the secret for each guess.

    >>> hit_rate([1, 1, 0, 0], [1, 0, 0, 0])
    0.75
    """
    return sum(hit(one, other) for one, other in zip(guesses, secrets, strict=True)) / len(secrets)


def worth(rate: float, part: AttackPart) -> float:
    """Return the fraction of the points that an attack with the hit rate `rate` earns.

    The fraction rises linearly from 0 at the rate ``nothing_at`` to 1 at the rate ``full_at``.

    >>> worth(0.8, {"nothing_at": 0.75, "full_at": 0.875})
    0.40000000000000036
    """
    low, high = part["nothing_at"], part["full_at"]
    return min(1.0, max(0.0, (rate - low) / (high - low)))


def judge_attack(part: AttackPart, case: AttackCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with an attack's guesses on a case, or None if they earn all points."""
    listed = isinstance(secrets_of(case)[0], list)
    share = _percent(part["full_at"])
    if part["full_at"] == 1:
        expected = _("all entries of the secrets") if listed else _("all secrets")
    elif listed:
        expected = _("{share} or more of the entries of the secrets", share=share)
    else:
        expected = _("{share} or more of the secrets", share=share)
    failure = failures.unanswered(part, outcome, expected, frozenset())
    if failure is not None:
        return failure
    guesses, secrets = outcome["guesses"], secrets_of(case)
    rate = hit_rate(guesses, secrets)
    if rate >= part["full_at"]:
        return None
    named = failures.recognised(
        case, lambda i, known: hit_rate(guesses, _unsqueezed(known)) >= SAME
    )
    share, count = _percent(rate), len(secrets)
    if listed:
        returned = _("{share} of the entries of {count:,} secrets found", share=share, count=count)
    else:
        returned = _("{share} of {count:,} secrets found", share=share, count=count)
    note = _note(guesses, secrets, hidden=part["hidden"])
    hint, fallback = "" if named else note, note or _(_FALLBACK)
    return Failure(returned, expected, hint, named, fallback, worth=Fraction(worth(rate, part)))


def secrets_of(case: AttackCase) -> list[Any]:
    """Return the decoded secrets of a case."""
    return _unsqueezed(case["secrets"])


def _unsqueezed(text: str) -> list[Any]:
    return [decode(one) for one in unsqueezed(text)]


def _note(guesses: Sequence[Any], secrets: Sequence[Any], *, hidden: bool) -> str:
    """Return a hint for the student about guesses of wrong form or order, or ""."""
    kinds = {
        failures.kind_note(guess, secret, hidden=hidden)
        for guess, secret in zip(guesses[:100], secrets, strict=False)
        if not isinstance(secret, str)
    }
    if len(kinds) == 1 and "" not in kinds and not any(map(hit, guesses, secrets)):
        return kinds.pop()
    if hit_rate(guesses[1:], guesses[:-1]) == 1:
        return _("The guess is always the same, whatever the answers are.")
    wrong = [both for both in zip(guesses, secrets, strict=True) if both[0] != both[1]]
    if sum(_in_another_order(*both) for both in wrong) >= SAME * len(wrong):
        return _("The entries are right, but in another order than the text asks for.")
    possible, given = set(entries(secrets)), set(entries(guesses))
    if all(isinstance(entry, int) for entry in possible) and any(
        isinstance(entry, float) and not entry.is_integer() for entry in given
    ):
        return _("The secrets are whole numbers, but some guesses are not. Round the guesses.")
    if None in given:
        return _("Some guesses, or entries of guesses, are None. A missing guess counts as wrong.")
    if not given <= possible:
        return _("Some guesses are not possible secrets. Guess one of the possible secrets.")
    return ""


def _in_another_order(guess: Any, secret: Any) -> bool:
    """Return whether a guess and a secret are lists of the same numbers, in any order."""
    lists = isinstance(guess, list) and isinstance(secret, list)
    numbers = lists and all(isinstance(entry, (bool, int, float)) for entry in (*guess, *secret))
    return numbers and sorted(guess) == sorted(secret)


def called(part: AttackPart, case: AttackCase) -> str:
    """Return the text that names a case of an attack check in feedback."""
    count = len(secrets_of(case))
    if part["hidden"]:
        return _(
            "{call}(...) on the answers for {count:,} hidden secrets: {words}",
            call=part["call"],
            count=count,
            words=case["words"],
        )
    call = f"{part['call']}({', '.join([part['first'], *arguments(case)])})"
    return _("{call} on the answers for {count:,} secrets", call=call, count=count) + in_words(case)


def earning(part: AttackPart, found: Found) -> tuple[int, int]:
    """Return the fraction of points that an attack earns, as numerator and denominator.

    The fraction is the mean of the fractions for all cases.
    """
    share = sum(Fraction(1) if failure is None else failure.worth for failure in found)
    return int(10_000 * share / len(found)), 10_000


def said(part: AttackPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return sentences for the student on the success of the attack, compared with other attacks.

    For the visible part, the sentences do not mention other attacks.
    """
    told = []
    for case, outcome, failure in zip(part["cases"], outcomes, found, strict=True):
        if failure is None:
            secrets = secrets_of(case)
            rate = _percent(hit_rate(outcome["guesses"], secrets))
            if isinstance(secrets[0], list):
                told.append(
                    _("Your attack finds {share} of the entries of the secrets.", share=rate)
                )
            else:
                told.append(_("Your attack finds {share} of the secrets.", share=rate))
        if part["hidden"]:
            best = _percent(case["ceiling"])
            told.append(_("The best possible attack finds {share} on average.", share=best))
            if failure is None and hit_rate(outcome["guesses"], secrets) > case["ceiling"]:
                told.append(_("Your attack found more by chance."))
            typical = sorted(zip(case["reached"], part["messages"], strict=True), reverse=True)
            told += [
                _(
                    "An attack with this mistake finds {share}: “{message}”",
                    share=_percent(rate),
                    message=_first_sentence(message),
                )
                for rate, message in typical[:TOLD]
            ]
    top, share = part["points"], float(sum(0 if one is None else one.worth for one in found))
    if share and not part["hidden"] and None not in found:
        # round down, so that slightly less than all points is not shown as all points
        worth_now = math.floor(10 * top * share / len(found)) / 10
        told.append(
            _(
                "On these secrets, it earns about {points:g} of {total:g} points.",
                points=worth_now,
                total=top,
            )
        )
    least, full = _percent(part["nothing_at"]), _percent(part["full_at"])
    told.append(
        _("A share of up to {least} earns nothing, and 100 % earns all points.", least=least)
        if part["full_at"] == 1
        else _(
            "A share of up to {least} earns nothing, and {full} or more earns all points.",
            least=least,
            full=full,
        )
    )
    return " ".join(told)


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text.

    >>> _first_sentence("Only one of the 0.5 counts. The others know more.")
    'Only one of the 0.5 counts.'
    """
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def _percent(rate: float) -> str:
    """Return a fraction in percent, rounded down to one decimal so that it is not overstated."""
    return f"{math.floor(1000 * rate + 1e-9) / 10:.1f} %"
