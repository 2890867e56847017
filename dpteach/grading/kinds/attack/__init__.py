"""Checks of attacks: a function that gets answers and guesses the secret behind them.

The mechanism runs here, with secrets that are drawn when the exam is made, from a seed that the
grader keeps. What the student's code gets are the answers, and nothing that they were made of.

A right attack loses points with probability at most `FALSE_ALARM`, all cases together: a hit is a
number in [0, 1] with the mean c, the ceiling, so the mean of n of them is f < c or less with
probability at most exp(-n kl(f, c)) (Hoeffding, 1963, theorem 1; kl is the Kullback-Leibler
divergence of two coins), and n is as large as that asks for.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from dpteach import _check
from dpteach.grading.core.observe import RANDOM_SECONDS
from dpteach.grading.core.plain import decode, encode, reduce, squeezed
from dpteach.grading.core.specification import About
from dpteach.grading.kinds import require
from dpteach.grading.kinds.attack import judge
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration
from dpteach.grading.kinds.kind import Kind, asked, each
from dpteach.grading.kinds.random.statistics import divergence_of_coins

#: secrets drawn per case, at least and at most
MIN_TRIALS: Final = 1_000
MAX_TRIALS: Final = 20_000

#: at most so many that are visible, which earn nothing and lie in every student's folder
VISIBLE_TRIALS: Final = 500

#: how often they are drawn until the best attack is at its ceiling, and no mistake is full credit
VISIBLE_DRAWS: Final = 20


@dataclass(frozen=True, kw_only=True)
class AttackCheck(Declaration):
    """An attack that the student writes, judged by how often it finds the secret.

    The student's function gets the answers of one run of the mechanism, then the arguments of the
    case, and returns its guess. A guess that equals the secret is a hit; of a secret that is a list
    the share of the entries that are equal counts. The mean over the hidden secrets earns nothing
    up to `nothing_at`, everything from `full_at` on, and in between in proportion: the text of
    the assignment announces both. After hand-in the student reads the ceiling, too, and what the
    best of the mistakes reach.

    Parameters
    ----------
    name, points, call, builds_on, book
        As for `Check`; `call` is the student's attack.
    visible, hidden
        What is known of the mechanism and changes from case to case, often nothing: ``Case()``.
        There must be a hidden one, for the secrets of visible ones lie in the student's folder.
    secret
        A function of a ``numpy.random.Generator`` and of a case's arguments that draws a secret: a
        number, a string, or a list of them.
    mechanism
        A function of a secret, of a case's arguments and of the keyword ``rng`` that returns the
        answers: plain values.
    ceiling
        A function of a case's arguments that returns the mean that the best attack has, in (0, 1];
        for a bit that is 0 or 1 with probability 1/2 it is (1 + TV)/2, with the total variation
        distance of the answers to 0 and to 1.
    best
        An attack that reaches the ceiling. The build runs it on four times as many secrets
        of a hidden case as are judged, 20,000 at most, and refuses a ceiling that it is too far
        from. Its first parameter has the name of the student's: visible checks tell it.
    nothing_at, full_at
        Means: 0 <= nothing_at < full_at, and full_at below the ceiling unless that is 1. The best
        guess that is always the same must not exceed `nothing_at`. The nearer `full_at` is to
        the ceiling, the more secrets are drawn, at most 20,000: for a ceiling of 0.8755 it may be
        0.86.
    mistakes
        Attacks that do not reach `full_at`, functions of answers and a case's arguments.

    Examples
    --------
    >>> from dpteach.grading import Mistake
    >>> check = AttackCheck(
    ...     name="one_answer", points=1, call="guess",
    ...     secret=lambda rng: rng.integers(2),
    ...     mechanism=lambda bit, rng: bit if rng.random() < 0.75 else 1 - bit,
    ...     best=lambda answer: answer, ceiling=lambda: 0.75, nothing_at=0.55, full_at=0.7,
    ...     visible=[Case()], hidden=[Case(words="new secrets")],
    ...     mistakes=[Mistake(lambda answer: 1 - answer, "That is the other bit.")],
    ...     book="renyi_dp#x",
    ... )
    >>> trials_needed(0.7, 0.75, level=1e-9 / 2)
    3346
    """

    secret: Callable[..., Any]
    mechanism: Callable[..., Any]
    best: Callable[..., Any]
    ceiling: Callable[..., float]
    nothing_at: float
    full_at: float

    _refused: ClassVar[Mapping[str, str]] = {"raises": "use a Check for errors"}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("secret", "mechanism", "best", "ceiling"):
            require.function(name, getattr(self, name))
        low = require.number("nothing_at", self.nothing_at, require.BELOW_ONE)
        high = require.number("full_at", self.full_at, _check.POSITIVE_PROBABILITY)
        if not low < high:
            raise ValueError(
                "nothing_at and full_at must be 0 <= nothing_at < full_at <= 1, "
                f"got nothing_at={low:g}, full_at={high:g}"
            )
        if not self.hidden:
            raise ValueError(
                "hidden must hold a case: the secrets of visible ones lie in the student's folder"
            )


def trials_needed(full_at: float, ceiling: float, *, level: float) -> int:
    """Return how many secrets it takes until a right attack rarely misses `full_at`.

    It does so with probability at most `level`.

    Raises
    ------
    ValueError
        If `full_at` is above the ceiling, or so near to it that 20,000 are not enough.

    Examples
    --------
    >>> trials_needed(0.85, 0.8755, level=1e-9), trials_needed(1.0, 1.0, level=1e-9)
    (7338, 1000)
    """
    if full_at <= ceiling == 1:
        return MIN_TRIALS  # a right attack always hits
    kl = divergence_of_coins(full_at, ceiling) if full_at < ceiling else 0.0
    needed = math.ceil(math.log(1 / level) / kl) if kl else math.inf
    if needed > MAX_TRIALS:
        raise ValueError(
            f"full_at must be further below the ceiling of {ceiling:g}: {MAX_TRIALS:,} secrets are "
            f"too few to tell, got full_at={full_at:g}"
        )
    return max(MIN_TRIALS, int(needed))


def _part(check: AttackCheck, about: About[Any], rng: np.random.Generator) -> judge.AttackPart:
    """Return the part; hidden secrets depend on the exam, visible ones are always the same.

    Raises
    ------
    TypeError, ValueError
        If what the declaration's functions return is not what they should, or the check is none
        on the secrets that were drawn.
    """
    level = FALSE_ALARM / (len(check.visible) + len(check.hidden))
    hidden = about["hidden"]
    return {
        **about,
        "kind": "attack",
        "first": next(iter(inspect.signature(check.best).parameters), "answers"),
        "nothing_at": float(check.nothing_at),
        "full_at": float(check.full_at),
        "cases": [_case(check, case, level, rng, hidden) for case in check.group(hidden)],
    }


def _case(
    check: AttackCheck, case: Case, level: float, rng: np.random.Generator, hidden: bool
) -> judge.AttackCase:
    ceiling = require.number(
        "ceiling", case.of("ceiling", check.ceiling), _check.POSITIVE_PROBABILITY
    )
    count = trials_needed(check.full_at, ceiling, level=level)
    if not hidden:
        count = min(count, VISIBLE_TRIALS)
    # to tell a ceiling from another one takes more of them than to tell it from `full_at`; the
    # ceiling of a visible case is never told
    tried = min(MAX_TRIALS, 4 * count) if hidden and ceiling < 1 else count
    # by chance a right attack may seem wrong on few visible ones, and a wrong one right
    for _ in range(1 if hidden else VISIBLE_DRAWS):
        drawn = [_trial(check, case, rng) for _ in range(tried)]
        every, answers = [one for one, _ in drawn], [decode(other) for _, other in drawn]
        best, _ = _rate("best", check.best, case, answers, every)
        secrets, some = every[:count], answers[:count]
        rates = [_rate("mistakes", one.wrong, case, some, secrets) for one in check.mistakes]
        if best >= ceiling and all(rate < check.full_at for rate, _ in rates):
            break
    _prove_ceiling(case, ceiling, best, tried, level)
    if hidden:
        _prove_constants(check, secrets)
    return {
        **case.to_data(),
        "trials": squeezed([answers for _, answers in drawn[:count]]),
        "secrets": squeezed([encode(secret) for secret in secrets]),
        "ceiling": ceiling,
        "reached": [rate for rate, _ in rates],
        "mistakes": [None if rate >= check.full_at else squeezed(told) for rate, told in rates],
    }


def _rate(
    name: str, attack: Callable[..., Any], case: Case, trials: Sequence[Any], secrets: Sequence[Any]
) -> tuple[float, list[Any]]:
    """Return the mean hit of an attack that leaves the answers as they are, and its guesses."""
    guesses = [reduce(case.of(name, attack, answers)) for answers in trials]
    return judge.hit_rate(guesses, secrets), [encode(guess) for guess in guesses]


def _trial(check: AttackCheck, case: Case, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a secret, and the answers of the mechanism as data."""
    secret = reduce(case.of("secret", check.secret, rng))
    return secret, encode(case.of("mechanism", check.mechanism, secret, rng=rng))


def _prove_ceiling(case: Case, ceiling: float, best: float, trials: int, level: float) -> None:
    """Refuse a ceiling that the best attack is not at, by what it reaches in so many trials."""
    if ceiling == 1:
        far = best < 1
    else:
        far = trials * divergence_of_coins(best, ceiling) > math.log(1 / level)
    if far:
        raise ValueError(f"ceiling: it is {ceiling:g}, and best reaches {best:.4g}, on {case}")


def _prove_constants(check: AttackCheck, secrets: Sequence[Any]) -> None:
    """Refuse secrets of which one guess for all finds too many."""
    found = best_constant(secrets)
    if found > check.nothing_at:
        raise ValueError(
            f"nothing_at must be at least what one guess for all secrets reaches, {found:.4g}, "
            f"got nothing_at={check.nothing_at:g}"
        )


def best_constant(secrets: Sequence[Any]) -> float:
    """Return the mean hit of the best guess that is always the same.

    Examples
    --------
    >>> best_constant([0, 1, 1, 1]), best_constant([[0, 1], [1, 1], [0, 0]])
    (0.75, 0.6666666666666666)
    """
    groups: dict[int | None, list[Any]] = {}
    for secret in secrets:
        length = len(secret) if isinstance(secret, list) else None
        groups.setdefault(length, []).append(secret)
    most = 0.0
    for length, those in groups.items():
        rows = [[one] for one in those] if length is None else those
        # an entry that is no number or text stands by its text
        columns = zip(*([repr(entry) for entry in row] for row in rows), strict=True)
        hits = [Counter(column).most_common(1)[0][1] for column in columns]
        most = max(most, sum(hits) / max(1, len(hits)))
    return most / len(secrets)


KIND = Kind(
    name="attack",
    title="break it",
    minutes=15,
    declaration=AttackCheck,
    part=_part,
    slow=True,
    judged=each(judge.judge_attack),
    called=judge.called,
    earning=judge.earning,
    said=judge.said,
    asked=lambda part: asked(part, "trials"),
    seconds=lambda part: 5.0 + RANDOM_SECONDS * len(part["cases"]),
)
