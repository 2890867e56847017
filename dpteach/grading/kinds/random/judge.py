"""The verdict on a check of a mechanism: shape, dependence on the generator, then the tests.

Outcomes come from the student's side. `outcomes` has taken them to the documented
forms; what it passes on unread, answers with their types, is read here, and may be any JSON. Of a
hidden case nothing that came back is repeated: no number, no shape, no text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import arguments, in_words
from dpteach.grading.kinds.kind import asked as asked_of_each
from dpteach.grading.kinds.kind import reads as reads_plain
from dpteach.grading.kinds.outcomes import repeated
from dpteach.grading.kinds.random.laws import Law, LawData, read
from dpteach.grading.kinds.random.statistics import Finding, findings, fits, flat

#: the answers of all calls: an array, or nested lists where their types count
Answers: TypeAlias = NDArray[np.float64] | list[Any]

#: bins of a picture
BINS: Final = 40

_RNG_TEXT = (
    "Every random number must be drawn from the generator `rng` that is passed in (rng.normal, "
    "rng.laplace, ...): the functions of np.random and of the random module use a global state, "
    "and a generator that is made inside the function without a draw from `rng` ignores the seed "
    "that the caller chose."
)
_TOUCHED = "answers, and the state of numpy's global generator was altered"
_REPEATED_TEXT = (
    "Each call must draw new noise from `rng`. A generator that is made with a fixed seed inside "
    "the function gives the same noise each time: whoever sees two answers can cancel it."
)
_SUPPORT_TEXT = (
    "An answer that one dataset can give and its neighbour cannot proves which of the two it was."
)
_TAIL_TEXT = f"Is the noise clipped, rounded or cut off? {_SUPPORT_TEXT}"
_FINDING_TEXTS: Final[Mapping[str, str]] = {
    "support": f"Here an answer came that must never come. {_SUPPORT_TEXT}",
    "law": (
        "Look at the noise of every entry and of every kind of input: is all of it there, and is "
        "it of the family that is asked for?"
    ),
    "centre": "On average the answers lie to one side: look at what is added, and what is cut off.",
    "width": (
        "Is the noise of the size that is asked for, in every entry, also of one that is 0? Look "
        "at what is cut off, too."
    ),
    "coordinates": "Each coordinate needs a draw of its own: size=np.shape(vector).",
    "calls": "Each call needs new draws: do not keep noise from one call to the next.",
    "low tail": _TAIL_TEXT,
    "high tail": _TAIL_TEXT,
    "repeats": f"Is the noise clipped or rounded, or made from a few seeds only? {_SUPPORT_TEXT}",
}
#: the family of continuous noise in words, and its scale
_FAMILY_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "norm": ("Gaussian", "standard deviation"),
    "laplace": ("Laplace", "scale"),
}
_SHAPE_TEXT = "The answer has one number for each entry of the vector, in the same shape."
_INTEGER_TEXT = (
    "The answer must be an integer (int, or numpy's), not a float: 3.0 is none. Floating-point "
    "noise that is rounded afterwards has another law."
)


class RandomCase(Call):
    """A case: how often the function is called, and the law of its answers.

    ``labels`` says that the types of answers count; ``mistakes`` has the law of each, or None where
    that is the right one.
    """

    calls: int
    labels: bool
    law: LawData
    mistakes: list[LawData | None]


class RandomPart(Part[RandomCase]):
    """A part of a `RandomCheck`; ``false_alarm`` is that of each case."""

    seed: int
    false_alarm: float
    promise: str


def asked(part: RandomPart) -> dict[str, Any]:
    """Return what the kernel is asked: arguments, seeds and call counts only."""
    found = asked_of_each(part, "calls", "labels") | {"seed": part["seed"]}
    for i, case in enumerate(found["cases"]):
        case["first"], case["second"] = repeated(part["seed"] + i)
    return found


def reads(part: RandomPart, case: RandomCase) -> str:
    """Return how a case reads."""
    if part["hidden"]:
        return reads_plain(part, case)
    given = ", ".join([*arguments(case), "rng=rng"])
    return f"{part['call']}({given}), {case['calls']} times{in_words(case)}"


def judge_random(part: RandomPart, case: RandomCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the answers of one case, or None."""
    law, hidden = case["law"], part["hidden"]
    expected = "answers with the law that the docstring states"
    if not hidden:
        expected = _law_text(law, case)
    answers = _answers(part, case, outcome, expected)
    if isinstance(answers, Failure):
        return answers
    count = len(answers)
    if _constant(answers) and not _may_be_constant(law, count):
        if law["kind"] != "categories" and _constant(answers, decode(law["loc"])):
            return Failure("the true value itself, without noise", expected, "Add the noise.")
        named = _named(case, answers, lambda wrong: _may_be_constant(wrong, count))
        returned = "the same answer at every call"
        return Failure(returned, expected, mistakes=named, fallback=_REPEATED_TEXT)
    finding = findings(answers, law, part["false_alarm"], seed=part["seed"])
    if finding is None:
        return None
    impossible = finding.test == "support"
    return Failure(
        _told(answers, finding, hidden),
        expected,
        mistakes=_named(case, answers),
        fallback=_FINDING_TEXTS.get(finding.test, ""),
        picture=None if hidden else picture(answers, law),
        by_chance=not impossible,
    )


def _told(answers: Answers, finding: Finding, hidden: bool) -> str:
    """Return what is wrong with the answers, in words."""
    text = f"{len(answers)} answers: {finding.words}"
    return f"{text} ({finding.detail})" if finding.detail and not hidden else text


def _named(
    case: RandomCase, answers: Answers, possible: Callable[[Any], bool] = lambda wrong: True
) -> frozenset[int]:
    """Return the declared mistakes whose law the answers have."""
    return failures.recognised(case, lambda i, wrong: possible(wrong) and fits(answers, wrong))


def _answers(
    part: RandomPart, case: RandomCase, outcome: Outcome, expected: str
) -> Answers | Failure:
    """Return all answers of a case, or the failure."""
    hidden = part["hidden"]
    failure = failures.odd(part, outcome, expected)
    if failure is not None:
        return failure
    if "raises" in outcome:
        note = ""
        if outcome["raises"] == "TypeError" and "rng" in outcome["message"]:
            note = "The function must take the keyword argument `rng`."
        return Failure(failures.error_text(part, outcome), expected, note)
    if "value" in outcome:
        note = failures.kind_note(outcome["value"], 0.0, hidden=hidden) or _SHAPE_TEXT
        returned = failures.rough(outcome["value"]) if hidden else shown(outcome["value"])
        return Failure(returned, expected, note)
    answers = _labels if case["labels"] else _numbers
    found, constant = answers(case, outcome, expected, hidden)
    if isinstance(found, Failure):
        return found
    if not outcome["same"] and constant:
        return Failure("the same answer at every call", expected, _REPEATED_TEXT)
    if not outcome["same"]:
        return Failure("answers that the seed of `rng` does not determine", expected, _RNG_TEXT)
    return Failure(_TOUCHED, expected, _RNG_TEXT) if outcome["touched"] else found


def _numbers(
    case: RandomCase, outcome: Outcome, expected: str, hidden: bool
) -> tuple[Answers | Failure, bool]:
    """Return answers that are floats, and whether all are the same; or the failure."""
    if "ragged" in outcome:
        return Failure("answers of different shapes", expected, _SHAPE_TEXT), False
    answers: NDArray[np.float64] = outcome["values"]
    if answers.shape != (case["calls"], *read(case["law"]).shape):
        what = "another shape" if hidden else f"shape {answers.shape[1:]}"
        return Failure(f"an answer of {what}", expected, _SHAPE_TEXT), False
    if not np.all(np.isfinite(answers)):
        return Failure("an answer with NaN or infinity in it", expected), False
    return answers, _constant(answers)


def _labels(
    case: RandomCase, outcome: Outcome, expected: str, hidden: bool
) -> tuple[Answers | Failure, bool]:
    """Return the same for answers whose types count; any JSON may be in their place."""
    labels, law = outcome["labels"], case["law"]
    values = _leaves(labels, read(law).shape)
    if values is None or len(labels) != case["calls"]:
        return Failure("answers of another shape", expected, _SHAPE_TEXT), False
    atoms = law["atoms"] if law["kind"] == "categories" else ()
    failure = _of_other_types(values, atoms, expected, hidden=hidden)
    return failure or labels, len(set(values)) == 1


def _of_other_types(
    values: Sequence[Any], atoms: Sequence[Any], expected: str, *, hidden: bool
) -> Failure | None:
    """Return the failure if an answer is of a type that is not asked for: a name, or an integer."""
    allowed: set[type] = {str} if isinstance(next(iter(atoms), 0), str) else {int}
    if atoms and set(atoms) <= {0, 1}:
        allowed.add(bool)
    if set(map(type, values)) <= allowed:
        return None
    odd_one = next(value for value in values if type(value) not in allowed)
    returned = "answers of another kind" if hidden else f"an answer {shown(odd_one)}"
    if str in allowed:
        note = "The answer must be one of the names that the docstring lists."
    else:
        note = "" if type(odd_one) is float else failures.kind_note(odd_one, 0, hidden=hidden)
    return Failure(returned, expected, note or _INTEGER_TEXT)


def _leaves(values: Any, shape: tuple[int, ...]) -> list[Any] | None:
    """Return the numbers or strings in nested lists of a shape, however many; else None."""
    if type(values) is not list or not values:
        return None
    for size in shape:
        if not all(type(row) is list and len(row) == size for row in values):
            return None
        values = [entry for row in values for entry in row]
    if not set(map(type, values)) <= {int, float, str, bool, type(None)}:
        return None
    return list(values)


def _constant(answers: Answers, value: Any = None) -> bool:
    """Whether all answers are the same (and are this value)."""
    if isinstance(answers, list):
        first = answers[0] if value is None else value
        return all(answer == first for answer in answers)
    return bool(np.all(answers == (answers[:1] if value is None else np.asarray(value))))


def _may_be_constant(law: LawData, calls: int) -> bool:
    """Whether a right mechanism gives the same answer at all calls with probability above e^-50."""
    found = read(law)
    if isinstance(found, Law):
        return calls < 2
    most = np.log(found.masses.max(axis=1))[found.row]
    return bool((calls - 1) * most.sum() > -50)


def _law_text(law: LawData, case: RandomCase) -> str:
    """Return what is expected of a visible case."""
    size = math.prod(read(law).shape)
    what = "answers" if law["kind"] == "categories" else "numbers"
    drawn = f"({case['calls'] * size} {what} drawn)"
    if law["kind"] == "categories":
        masses = np.asarray(law["masses"], dtype=np.float64)
        if masses.ndim == 1:
            table = ", ".join(f"{p:.6g}" for p in masses.tolist())
            return f"the answers {shown(law['atoms'])} with probabilities [{table}]   {drawn}"
        return f"independent entries, each one of {shown(law['atoms'])} by its own law   {drawn}"
    centre = f"centre {shown(decode(law['loc']))}"
    if law["kind"] == "integers":
        family = law["family"].replace("_", " ")
        scale = f"scale {law['parameters']['scale']:g}"
        return f"independent integer noise, {family}, {scale}, {centre}   {drawn}"
    family, width = _FAMILY_TEXTS[law["family"]]
    return f"independent {family} noise, {width} {shown(decode(law['scale']))}, {centre}   {drawn}"


def picture(answers: Answers, law: LawData) -> dict[str, Any]:
    """Return a histogram of answers to a visible case against the law, as data with fixed rounding.

    Parameters
    ----------
    answers
        As `dpteach.grading.kinds.random.statistics.findings` takes them.
    law
        The right law as data.

    Returns
    -------
    dict
        ``kind`` ("histogram"), ``edges`` of the bins, ``counts`` (what lies outside is counted in
        the end bins), ``expected`` (what the law gives on average), ``label`` of the axis and
        ``words``: what the picture shows, in a sentence.

    Examples
    --------
    >>> from dpteach.grading import Categorical
    >>> law = Categorical(["yes", "no"], [0.5, 0.5]).to_data()
    >>> drawn = picture(["yes", "yes", "no"], law)
    >>> drawn["counts"], drawn["expected"], drawn["label"]
    ([2, 1], [1.5, 1.5], 'answer: 0 yes, 1 no')
    """
    found = read(law)
    if isinstance(found, Law):
        noise = found.noise(np.asarray(answers, dtype=np.float64)).ravel()
        low, high = (float(found.standard.ppf(u)) for u in (0.0005, 0.9995))
        edges = np.linspace(low, high, BINS + 1)
        with np.errstate(invalid="ignore"):
            counts = np.histogram(np.clip(noise, low, high), edges)[0]
        below = found.standard.cdf(edges)
        below[0], below[-1] = 0.0, 1.0
        label = "noise: (answer - centre) / scale"
        return _picture(edges, counts, np.diff(below) * noise.size, label)
    columns = found.columns(flat(answers, len(found.shape)))
    width = found.masses.shape[1]
    weights = np.bincount(found.row, minlength=len(found.masses)) * len(columns)
    law_counts = weights @ found.masses
    if found.start is None:
        kept = columns[(columns >= 0) & (columns < width)]
        counts = np.bincount(kept.ravel(), minlength=width)
        names = ", ".join(f"{i} {atom}" for i, atom in enumerate(found.atoms))
        return _picture(np.arange(width + 1) - 0.5, counts, law_counts, f"answer: {names}"[:80])
    counts = np.bincount(np.clip(columns, 0, width - 1).ravel(), minlength=width)
    below = np.cumsum(found.masses[0])
    first = int(np.searchsorted(below, 0.0005))
    last = min(width - 1, int(np.searchsorted(below, 0.9995)))
    step = max(1, math.ceil((last - first + 1) / BINS))
    starts = np.arange(first, last + 1, step)
    edges = np.append(starts, starts[-1] + step) + found.first - 0.5
    places = starts.copy()
    places[0] = 0
    found_counts, expected = (np.add.reduceat(table, places) for table in (counts, law_counts))
    return _picture(edges, found_counts, expected, "noise: answer - centre")


def _picture(edges: Any, counts: Any, expected: Any, label: str) -> dict[str, Any]:
    many = int(np.sum(counts))
    apart = float(np.sum(np.abs(counts - expected))) / (2 * max(1, many))
    return {
        "kind": "histogram",
        "edges": [round(float(x), 6) for x in edges],
        "counts": [int(x) for x in counts],
        "expected": [round(float(x), 3) for x in expected],
        "label": label,
        "words": (
            f"A histogram of {many} answers against the law: {apart:.0%} of them are where the law "
            "would not put them."
        ),
    }
