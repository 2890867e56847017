"""Checks of attacks: functions that guess the secret behind the outputs of a mechanism.

The mechanism runs outside of the sandbox when the data for grading are made, with random secrets
from a seed that only the grader knows. The student's code gets only the outputs of the mechanism,
which the code here calls answers.

The grader gives each guess a value in [0, 1] (1 for the secret itself). A student's attack earns
all points for a case if the mean value of its n guesses is at least `full_at`, a number that the
author chooses. The guesses of the best attack have the expected value c, called the ceiling. If
`full_at` < c, the best attack loses points only by bad luck: the mean value of its guesses is at
most `full_at` with probability at most exp(-n kl(`full_at`, c)), where kl is the Kullback-Leibler
divergence between two coins with these probabilities (Hoeffding, 1963, theorem 1). `trials_needed`
chooses n, the number of secrets of a hidden case, so large that in all hidden cases of a check
together, the best attack loses points with probability at most `FALSE_ALARM`.
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
from dpteach._language import N_, catalog
from dpteach.grading.core.observe import RANDOM_SECONDS
from dpteach.grading.core.plain import decode, encode, reduce, squeezed
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.attack import judge
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration
from dpteach.grading.kinds.kind import Kind, asked, each
from dpteach.grading.kinds.random.statistics import divergence_of_coins

_, _n = catalog("kinds")

#: smallest and largest number of random secrets for a hidden case, drawn when the data for grading
#: are made
MIN_TRIALS: Final = 1_000
MAX_TRIALS: Final = 20_000

#: largest number of random secrets for a visible case. It is small because visible cases earn no
#: points and are stored in each released notebook
VISIBLE_TRIALS: Final = 500

#: largest number of times that secrets are drawn for a visible case. They are drawn again until
#: the best attack reaches its expected success, and none of the wrong attacks that the author
#: declared (`mistakes`) earns all points
VISIBLE_DRAWS: Final = 20


@dataclass(frozen=True, kw_only=True)
class AttackCheck(Declaration):
    """A check of an attack that the student writes, judged by how often it finds the secret.

    The student's function gets the answers of one run of the mechanism and the arguments of the
    case, and returns a guess. A guess that equals the secret has the value 1, and any other guess
    0; if the secret is a list, the value is the fraction of equal entries. The mean value of the
    guesses for a case, called the mean hit, earns nothing up to `nothing_at`, all points from
    `full_at` on, and a proportional fraction in between; the text of the assignment must state both
    numbers. After submission, the student also reads the ceiling, which is the expected mean hit of
    the best attack, and the mean hits of the most successful attacks in `mistakes`.

    Parameters
    ----------
    name, points, call, builds_on, book
        As for `Check`; `call` is the student's attack.
    visible, hidden
        The cases. Their arguments are the quantities of the mechanism that the attacker knows; a
        case without arguments is ``Case()``. At least one case must be hidden, because students
        have the secrets of visible cases.
    secret
        A function of a ``numpy.random.Generator`` and of a case's arguments that draws a secret: a
        number, a string, or a list of them.
    mechanism
        A function of a secret, of a case's arguments and of the keyword ``rng`` that returns the
        answers: plain values.
    ceiling
        A function of a case's arguments that returns the expected hit of the best attack, in
        (0, 1]. For a fair bit it is (1 + TV)/2, where TV is the total variation distance between
        the distributions of the answers for 0 and for 1.
    best
        An attack that reaches the ceiling. The build runs this attack on four times as many
        secrets as a hidden case has, at most 20,000. If its mean hit is too far from the ceiling,
        the build raises an error. The first parameter must have the same name as in the student's
        function, because visible checks show this name.
    nothing_at, full_at
        Mean hits, 0 <= nothing_at < full_at. A constant guess must not exceed `nothing_at`, and
        `full_at` must be below the ceiling unless the ceiling is 1. The nearer `full_at` is to the
        ceiling, the more secrets are drawn, at most 20,000; for a ceiling of 0.8755, `full_at` can
        be 0.86.
    mistakes
        Attacks that do not reach `full_at`: functions of the answers and of a case's arguments.

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

    _refused: ClassVar[Mapping[str, str]] = {"raises": N_("use a Check for errors")}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("secret", "mechanism", "best", "ceiling"):
            require.function(name, getattr(self, name))
        low = require.number("nothing_at", self.nothing_at, require.BELOW_ONE)
        high = require.number("full_at", self.full_at, _check.POSITIVE_PROBABILITY)
        require.that(low < high, "full_at", _("must be above nothing_at={low:g}", low=low), high)
        words = _("must hold a case, because every student has the secrets of visible cases")
        require.that(self.hidden, "hidden", words, self.hidden)


def trials_needed(full_at: float, ceiling: float, *, level: float) -> int:
    """Return a number of random secrets for which the best attack rarely loses points.

    The best attack guesses correctly on average a fraction `ceiling` of the secrets. For the
    returned number of secrets, the fraction of its correct guesses is below `full_at`, and so the
    attack loses points, with probability at most `level`.

    Raises
    ------
    ValueError
        If `full_at` is above the ceiling, or so near to it that 20,000 secrets are too few.

    Examples
    --------
    >>> trials_needed(0.85, 0.8755, level=1e-9), trials_needed(1.0, 1.0, level=1e-9)
    (7338, 1000)
    """
    if full_at <= ceiling == 1:
        return MIN_TRIALS  # the best attack guesses every secret correctly
    kl = divergence_of_coins(full_at, ceiling) if full_at < ceiling else 0.0
    needed = math.ceil(math.log(1 / level) / kl) if kl else math.inf
    words = _(
        "must be further below the ceiling of {ceiling:g}: {most:,} secrets are too few to tell",
        ceiling=ceiling,
        most=MAX_TRIALS,
    )
    require.that(needed <= MAX_TRIALS, "full_at", words, full_at)
    return max(MIN_TRIALS, int(needed))


def _part(check: AttackCheck, about: Part[Any], rng: np.random.Generator) -> judge.AttackPart:
    """Return the visible or hidden part of an attack check, with secrets drawn from `rng`.

    Raises
    ------
    TypeError, ValueError
        If a function of the declaration raises an error or returns an unsuitable value, if the
        success of `check.best` on these secrets is too far from `check.ceiling`, or if the same
        guess for all secrets of a hidden case would earn points.
    """
    level = FALSE_ALARM / (len(check.visible) + len(check.hidden))
    hidden = about["hidden"]
    return {
        **about,
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
    # A test of the declared ceiling (the success of the best attack) needs more secrets than the
    # verdict on a student's attack. The ceiling of a visible case is not tested so strictly,
    # because students do not read it.
    tried = min(MAX_TRIALS, 4 * count) if hidden and ceiling < 1 else count
    # a visible case has few secrets, so by chance the best attack may find too few of them, or one
    # of the wrong attacks in `check.mistakes` may earn all points; then draw the secrets again
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
        "mistakes": [
            None if rate >= check.full_at else squeezed(encode(told)) for rate, told in rates
        ],
    }


def _rate(
    name: str, attack: Callable[..., Any], case: Case, trials: Sequence[Any], secrets: Sequence[Any]
) -> tuple[float, list[Any]]:
    """Return the mean value (`judge.hit`) of an attack's guesses at secrets, and the guesses."""

    def guessed(*args: Any, **kwargs: Any) -> list[Any]:
        return [reduce(attack(answers, *args, **kwargs)) for answers in trials]

    guesses = case.of(name, guessed)
    return judge.hit_rate(guesses, secrets), guesses


def _trial(check: AttackCheck, case: Case, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a random secret, and the output of the mechanism for it as JSON data."""
    secret = reduce(case.of("secret", check.secret, rng))
    return secret, encode(case.of("mechanism", check.mechanism, secret, rng=rng))


def _prove_ceiling(case: Case, ceiling: float, best: float, trials: int, level: float) -> None:
    """Raise an error if `best`, the best attack's success rate, is too far from `ceiling`."""
    if ceiling == 1:
        far = best < 1
    else:
        far = trials * divergence_of_coins(best, ceiling) > math.log(1 / level)
    words = _("must be near the mean hit of best, {hit:.4g} on {case}", hit=best, case=case)
    require.that(not far, "ceiling", words, ceiling)


def _prove_constants(check: AttackCheck, secrets: Sequence[Any]) -> None:
    """Raise an error if the same guess for all of these secrets would earn points."""
    found = best_constant(secrets)
    words = _("must be at least the mean hit of one guess for all secrets, {hit:.4g}", hit=found)
    require.that(found <= check.nothing_at, "nothing_at", words, check.nothing_at)


def best_constant(secrets: Sequence[Any]) -> float:
    """Return the largest mean of `judge.hit` that the same guess for all secrets can reach.

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
        # compare the texts of entries, because an entry may be a list, which has no hash
        columns = zip(*([repr(entry) for entry in row] for row in rows), strict=True)
        hits = [Counter(column).most_common(1)[0][1] for column in columns]
        most = max(most, sum(hits) / max(1, len(hits)))
    return most / len(secrets)


KIND = Kind(
    name="attack",
    title="attack",
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
