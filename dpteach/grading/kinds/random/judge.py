"""Verdict on a mechanism: whether its answers have the right form and the right distribution.

The mechanism must also return the same answers when it is called again with the same seeds. The
module `outcomes` has already checked the data from the student's process. It does not know the
right types of a discrete mechanism's answers, so these may be any JSON data and are checked here. A
verdict on a hidden case contains no number, shape or text of an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import arguments, in_words
from dpteach.grading.kinds.kind import asked as asked_of_each
from dpteach.grading.kinds.kind import reads as reads_plain
from dpteach.grading.kinds.outcomes import repeated
from dpteach.grading.kinds.random.distributions import Integers, Law, LawData, Table, read
from dpteach.grading.kinds.random.statistics import findings, fits

_, _n = catalog("kinds")

#: the answers of all calls: floats of a continuous mechanism, or Python objects of a discrete one
Answers: TypeAlias = NDArray[Any]

#: number of bins of a histogram
BINS: Final = 40

_RNG_TEXT = N_(
    "Draw every random number from the generator `rng` that is passed in (`rng.normal`, "
    "`rng.laplace`, ...). The functions of `np.random` and of the module `random` use a global "
    "state, and a generator that the function makes itself ignores the caller's seed."
)
_REPEATED_TEXT = N_(
    "Each call must draw new noise from `rng`. A generator that the function makes with a fixed "
    "seed gives the same noise each time, and whoever sees two answers can cancel it."
)
_SUPPORT_TEXT = N_(
    "An answer came that must never come. An answer that is possible for one dataset and "
    "impossible for its neighbor proves which of the two was used."
)
_TAIL_TEXT = N_(
    "Is the noise clipped, rounded or truncated? Then some answers are possible for one dataset "
    "and impossible for its neighbor, and prove which of the two was used."
)
_FINDING_TEXTS: Final[Mapping[str, str]] = {
    "support": _SUPPORT_TEXT,
    "law": N_(
        "Look at the noise of every entry and for every kind of input. Is any of it missing, and "
        "does it come from the family that is asked for?"
    ),
    "centre": N_(
        "On average, the answers lie on one side of the true value. Look at what is added, and "
        "whether anything is clipped."
    ),
    "width": N_(
        "Check that the noise of every entry has the size that is asked for, also where the entry "
        "is 0, and that it comes from the right family. If anything is clipped, look there, too."
    ),
    "coordinates": N_(
        "Each entry needs noise of its own. Draw a vector with `size=np.shape(vector)`."
    ),
    "tail": _TAIL_TEXT,
    "low tail": _TAIL_TEXT,
    "high tail": _TAIL_TEXT,
    "repeats": N_(
        "Is the noise clipped or rounded, or made from only a few seeds? Then some answers are "
        "possible for one dataset and impossible for its neighbor, and prove which was used."
    ),
}
_SHAPE_TEXT = N_("The answer must have one number for each entry of the vector, in the same shape.")
_INTEGER_TEXT = N_(
    "The answer must be an integer (Python's `int`, or numpy's); the float 3.0 is not one. "
    "Floating-point noise that is rounded afterwards has another distribution."
)


class RandomCase(Call):
    """A case: how often a random function is called, and the right distribution of its answers.

    ``calls`` is the number of calls. ``labels`` tells whether the function is a discrete mechanism,
    for which the types of the answers matter. ``mistakes`` has the distribution of each declared
    mistake, or None if it equals the right distribution.
    """

    calls: int
    labels: bool
    law: LawData
    mistakes: list[LawData | None]


class RandomPart(Part[RandomCase]):
    """The visible or hidden part of a `RandomCheck`.

    A right mechanism fails a case with probability at most ``false_alarm``.
    """

    seed: int
    false_alarm: float
    promise: str


def asked(part: RandomPart) -> dict[str, Any]:
    """Return which calls the student's process must make: arguments, seeds, and how many calls."""
    question = asked_of_each(part, "calls", "labels") | {"seed": part["seed"]}
    for i, case in enumerate(question["cases"]):
        case["first"], case["second"] = repeated(part["seed"] + i)
    return question


def reads(part: RandomPart, case: RandomCase) -> str:
    """Return how a message refers to a case, with the number of calls if the case is visible."""
    if part["hidden"]:
        return reads_plain(part, case)
    call = f"{part['call']}({', '.join([*arguments(case), 'rng=rng'])})"
    return _("{call}, {count} times", call=call, count=case["calls"]) + in_words(case)


def judge_random(part: RandomPart, case: RandomCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the answers of a random function to one case, or None."""
    law, hidden = case["law"], part["hidden"]
    if hidden:
        expected = _("answers with the distribution that the docstring states")
    else:
        expected = _law_text(law, case)
    answers = _answers(part, case, outcome, expected)
    if isinstance(answers, Failure):
        return answers
    count = len(answers)
    if _constant(answers) and not _may_be_constant(law, count):
        if law["kind"] != "categories" and _constant(answers, law["loc"]):
            returned = _("the true value itself, without noise")
            return Failure(returned, expected, _("Add the noise."))
        likely = failures.recognised(
            case, lambda i, wrong: _may_be_constant(wrong, count) and fits(answers, wrong)
        )
        returned = _("the same answer for every call")
        return Failure(returned, expected, mistakes=likely, fallback=_(_REPEATED_TEXT))
    finding = findings(answers, law, part["false_alarm"], seed=part["seed"])
    if finding is None:
        return None
    returned = _("{count} answers: {finding}", count=count, finding=finding.words)
    if finding.detail and not hidden:
        returned += f" ({finding.detail})"
    text = _FINDING_TEXTS.get(finding.test)
    return Failure(
        returned,
        expected,
        mistakes=failures.recognised(case, lambda i, wrong: fits(answers, wrong)),
        fallback=_(text) if text else "",
        picture=None if hidden else picture(answers, law),
        by_chance=finding.test != "support",
    )


def _answers(
    part: RandomPart, case: RandomCase, outcome: Outcome, expected: str
) -> Answers | Failure:
    """Return the answers to all calls of a case, or, if they cannot be tested, the failure."""
    hidden = part["hidden"]
    failure = failures.odd(part, outcome, expected)
    if failure is not None:
        return failure
    if "raises" in outcome:
        failure = failures.error(part, outcome, expected)
        if outcome["raises"] == "TypeError" and "rng" in outcome["message"]:
            note = _("The function must take the keyword argument `rng`.")
            failure = replace(failure, misconception=note)
        return failure
    if "value" in outcome:
        note = failures.kind_note(outcome["value"], 0.0, hidden=hidden) or _(_SHAPE_TEXT)
        returned = failures.rough(outcome["value"]) if hidden else shown(outcome["value"])
        return Failure(returned, expected, note)
    answers = (_labels if case["labels"] else _numbers)(case, outcome, expected, hidden)
    if isinstance(answers, Failure):
        return answers
    if not outcome["same"] and _constant(answers):
        return Failure(_("the same answer for every call"), expected, _(_REPEATED_TEXT))
    if not outcome["same"]:
        returned = _("answers that the seed of `rng` does not determine")
        return Failure(returned, expected, _(_RNG_TEXT))
    if outcome["touched"]:
        returned = _("answers, and the state of numpy's global generator was altered")
        return Failure(returned, expected, _(_RNG_TEXT))
    return answers


def _numbers(case: RandomCase, outcome: Outcome, expected: str, hidden: bool) -> Answers | Failure:
    """Return the answers of a continuous mechanism, or, if their form is wrong, the failure."""
    if "ragged" in outcome:
        return Failure(_("answers of different shapes"), expected, _(_SHAPE_TEXT))
    answers: NDArray[np.float64] = outcome["values"]
    if answers.shape != (case["calls"], *read(case["law"]).shape):
        returned = _("an answer of another shape")
        if not hidden:
            returned = _("an answer of shape {shape}", shape=answers.shape[1:])
        return Failure(returned, expected, _(_SHAPE_TEXT))
    if not np.all(np.isfinite(answers)):
        return Failure(_("an answer that contains NaN or infinity"), expected)
    return answers


def _labels(case: RandomCase, outcome: Outcome, expected: str, hidden: bool) -> Answers | Failure:
    """Return the answers of a discrete mechanism, or, if their form is wrong, the failure.

    The answers in `outcome` may be any JSON data.
    """
    law = case["law"]
    answers = np.array(outcome["labels"], dtype=object)
    plain = {int, float, str, bool, type(None)}
    right_shape = answers.shape == (case["calls"], *read(law).shape)
    if not (right_shape and set(map(type, answers.flat)) <= plain):
        return Failure(_("answers of another shape"), expected, _(_SHAPE_TEXT))
    atoms = law["atoms"] if law["kind"] == "categories" else ()
    allowed: set[type] = {str} if isinstance(next(iter(atoms), 0), str) else {int}
    if atoms and set(atoms) <= {0, 1}:
        allowed.add(bool)
    others = [value for value in answers.flat if type(value) not in allowed]
    if not others:
        return answers
    odd = others[0]
    returned = _("answers of another type")
    if not hidden:
        returned = _("an answer {answer}", answer=shown(odd))
    if str in allowed:
        note = _("The answer must be one of the names that the docstring lists.")
    else:
        note = "" if type(odd) is float else failures.kind_note(odd, 0, hidden=hidden)
    return Failure(returned, expected, note or _(_INTEGER_TEXT))


def _constant(answers: Answers, value: Any = None) -> bool:
    """Return whether all answers are equal to `value`, or, if `value` is None, to each other."""
    return bool(np.all(answers == (answers[:1] if value is None else np.asarray(value))))


def _may_be_constant(law: LawData, calls: int) -> bool:
    """Return whether an upper bound on the probability of equal answers to all calls is > e^-50."""
    found = read(law)
    if isinstance(found, Law):
        return calls < 2
    most = np.log(found.masses.max(axis=1))[found.row]
    return bool((calls - 1) * most.sum() > -50)


def _law_text(law: LawData, case: RandomCase) -> str:
    """Return a text on the distribution that the answers to a visible case must have."""
    count = case["calls"] * math.prod(read(law).shape)
    if law["kind"] == "categories":
        answers = shown(law["atoms"])
        masses = np.asarray(law["masses"], dtype=np.float64)
        if masses.ndim > 1:
            return _(
                "independent entries, each one of {answers} with its own probabilities   "
                "({count} answers drawn)",
                answers=answers,
                count=count,
            )
        return _(
            "the answers {answers} with probabilities [{table}]   ({count} answers drawn)",
            answers=answers,
            table=", ".join(f"{p:.6g}" for p in masses.tolist()),
            count=count,
        )
    centre, scale = shown(law["loc"]), shown(law["scale"])
    if law["kind"] == "integers":
        noise = _("discrete Laplace noise, scale {scale:g}", scale=law["scale"])
    elif law["family"] == "norm":
        noise = _("Gaussian noise, standard deviation {scale}", scale=scale)
    else:
        noise = _("Laplace noise, scale {scale}", scale=scale)
    return _(
        "independent {noise}, center {centre}   ({count} numbers drawn)",
        noise=noise,
        centre=centre,
        count=count,
    )


def picture(answers: Answers, law: LawData) -> dict[str, Any]:
    """Return a histogram of the answers to a visible case as data with rounded numbers.

    Parameters
    ----------
    answers
        The answer of each call, as for `dpteach.grading.kinds.random.statistics.findings`.
    law
        The right distribution as data.

    Returns
    -------
    dict
        ``kind`` ("histogram"), ``edges`` of the bins, ``counts`` (the first and the last bin
        include all answers beyond them), ``expected`` counts, ``label`` of the axis, and ``words``,
        a sentence that describes the histogram.

    Examples
    --------
    >>> from dpteach.grading import Categorical
    >>> law = Categorical(["yes", "no"], [0.5, 0.5]).to_data()
    >>> drawn = picture(["yes", "yes", "no"], law)
    >>> drawn["counts"], drawn["expected"], drawn["label"]
    ([2, 1], [1.5, 1.5], 'answer: 0 yes, 1 no')
    """
    found = read(law)
    if isinstance(found, Table):
        return _picture_of_table(found.columns(answers), found)
    noise = found.noise(np.asarray(answers, dtype=np.float64))
    low, high = (found.standard.ppf(u) for u in (0.0005, 0.9995))
    edges = np.linspace(low, high, BINS + 1)
    below = found.standard.cdf(edges)
    return _picture(np.clip(noise, low, high), edges, below, _("noise: (answer - center) / scale"))


def _picture_of_table(columns: Integers, law: Table) -> dict[str, Any]:
    weights = np.bincount(law.row, minlength=len(law.masses)) / law.row.size
    below = np.append(0.0, np.cumsum(weights @ law.masses))
    if law.start is None:
        names = ", ".join(f"{i} {atom}" for i, atom in enumerate(law.atoms))
        label = _("answer: {names}", names=names[:72])
        return _picture(columns, np.arange(law.width + 1) - 0.5, below, label)
    first, last = (int(column) - 1 for column in np.searchsorted(below, (0.0005, 0.9995)))
    step = max(1, math.ceil((last - first + 1) / BINS))
    ends = np.arange(first, last + 1 + step, step)
    noise = np.clip(columns, first, last) + law.first
    below = below[np.minimum(ends, law.width)]
    return _picture(noise, ends + law.first - 0.5, below, _("noise: answer - center"))


def _picture(noise: Any, edges: Any, below: Any, label: str) -> dict[str, Any]:
    """Return the data of a histogram of answers, with the counts that are expected in its bins.

    An answer of a right mechanism is below edge i with probability `below[i]`.
    """
    counts = np.histogram(noise, edges)[0]
    expected = np.diff(np.concatenate([[0.0], below[1:-1], [1.0]])) * noise.size
    many = int(counts.sum())
    apart = float(np.sum(np.abs(counts - expected))) / (2 * max(1, many))
    return {
        "kind": "histogram",
        "edges": [round(float(x), 6) for x in edges],
        "counts": [int(x) for x in counts],
        "expected": [round(float(x), 3) for x in expected],
        "label": label,
        "words": _(
            "A histogram of {count} answers with the expected counts. To match these counts, "
            "{apart:.0%} of the answers would have to be different.",
            count=many,
            apart=apart,
        ),
    }
