"""The verdict on a check of a mechanism: shape, dependence on the generator, then the tests.

Outcomes come from the student's side. `outcomes` has taken them to the documented
forms; what it passes on unread, answers with their types, is read here, and may be any JSON. Of a
hidden case nothing that came back is repeated: no number, no shape, no text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.kinds.failures import Failure, error_text, kind_note, odd, rough
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.random.laws import Continuous, read
from dpteach.grading.kinds.random.statistics import Finding, findings, fits

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
_CHOICE_TEXT = f"Here an answer came that must never come. {_SUPPORT_TEXT}"
_FINDING_TEXTS: Final[Mapping[str, str]] = {
    "support": f"Is the noise one-sided, or from another range? {_SUPPORT_TEXT}",
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
_SHAPE_TEXT = "The answer has one number for each entry of the vector, in the same shape."
_INTEGER_TEXT = (
    "The answer must be an integer (int, or numpy's), not a float: 3.0 is none. Floating-point "
    "noise that is rounded afterwards has another law."
)


def judge_random(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    """What is wrong with the answers of one case of a `RandomCheck`, or None.

    Parameters
    ----------
    case
        One of its cases.
    outcome
        The outcome of this case, from `dpteach.grading.kinds.outcomes.cleaned`.
    """
    law = case["law"]
    hidden = bool(declaration["hidden"])
    expected = "answers with the law that the docstring states"
    if not hidden:
        expected = _law_text(law, case)
    answers = _answers(declaration, case, outcome, expected)
    if isinstance(answers, Failure):
        return answers
    if _constant(answers) and not _may_be_constant(law, len(answers)):
        centre = law.get("loc")
        if centre is not None and _constant(answers, decode(centre)):
            return Failure("the true value itself, without noise", expected, "Add the noise.")
        named = _named(case, answers, lambda wrong: _may_be_constant(wrong, len(answers)))
        returned = "the same answer at every call"
        return Failure(returned, expected, mistakes=named, fallback=_REPEATED_TEXT)
    seed = int(declaration["seed"])
    finding = findings(answers, law, float(declaration["false_alarm"]), seed=seed)
    if finding is None:
        return None
    impossible = finding.test == "support"
    text = _FINDING_TEXTS.get(finding.test, "")
    return Failure(
        _told(answers, finding, hidden),
        expected,
        mistakes=_named(case, answers),
        fallback=_CHOICE_TEXT if impossible and law["kind"] == "categories" else text,
        picture=None if hidden else picture(answers, law),
        by_chance=not impossible,
    )


def _told(answers: Any, finding: Finding, hidden: bool) -> str:
    """What is wrong with the answers, in words."""
    text = f"{len(answers)} answers: {finding.words}"
    return f"{text} ({finding.detail})" if finding.detail and not hidden else text


def _named(
    case: Mapping[str, Any], answers: Any, possible: Callable[[Any], bool] = lambda wrong: True
) -> frozenset[int]:
    """The declared mistakes whose law the answers have."""
    return frozenset(
        i
        for i, wrong in enumerate(case["mistakes"])
        if wrong is not None and possible(wrong) and fits(answers, wrong)
    )


def _answers(
    declaration: Mapping[str, Any],
    case: Mapping[str, Any],
    outcome: Mapping[str, Any],
    expected: str,
) -> Any:
    """All answers of a case: an array, or nested lists of labels. Else the failure."""
    hidden = bool(declaration["hidden"])
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    if "raises" in outcome:
        note = ""
        if outcome["raises"] == "TypeError" and "rng" in outcome["message"]:
            note = "The function must take the keyword argument `rng`."
        return Failure(error_text(declaration, outcome), expected, note)
    if "value" in outcome:
        note = kind_note(outcome["value"], 0.0, hidden=hidden) or _SHAPE_TEXT
        returned = rough(outcome["value"]) if hidden else shown(outcome["value"])
        return Failure(returned, expected, note)
    if case.get("labels"):
        return _labels(declaration, case, outcome, expected)
    try:
        answers = np.asarray(outcome["values"], dtype=np.float64)
        again = np.asarray(outcome["again"], dtype=np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        return Failure("answers of different shapes", expected, _SHAPE_TEXT)
    if answers.shape != (case["calls"], *_shape(case)):
        what = "another shape" if hidden else f"shape {answers.shape[1:]}"
        return Failure(f"an answer of {what}", expected, _SHAPE_TEXT)
    if not np.all(np.isfinite(answers)):
        return Failure("an answer with NaN or infinity in it", expected)
    if again.shape != answers[0].shape or np.any(again != answers[0]):
        return _not_repeated(_constant(answers), expected)
    if outcome.get("touched"):
        return Failure(_TOUCHED, expected, _RNG_TEXT)
    return answers


def _not_repeated(constant: bool, expected: str) -> Failure:
    if constant:
        return Failure("the same answer at every call", expected, _REPEATED_TEXT)
    return Failure("answers that the seed of `rng` does not determine", expected, _RNG_TEXT)


def _labels(
    declaration: Mapping[str, Any],
    case: Mapping[str, Any],
    outcome: Mapping[str, Any],
    expected: str,
) -> Any:
    """Answers with their types, integers or categories; any JSON may be in their place."""
    unread = outcome.get("labels")
    values = _leaves(unread, _shape(case))
    if values is None or not isinstance(unread, list) or len(unread) != case["calls"]:
        return Failure("answers of another shape", expected, _SHAPE_TEXT)
    atoms = case["law"].get("atoms", [])
    failure = _of_other_types(values, atoms, expected, hidden=bool(declaration["hidden"]))
    if failure is not None:
        return failure
    if outcome.get("same") is not True:
        return _not_repeated(len(set(values)) == 1, expected)
    if outcome.get("touched"):
        return Failure(_TOUCHED, expected, _RNG_TEXT)
    return unread


def _of_other_types(
    values: Sequence[Any], atoms: Sequence[Any], expected: str, *, hidden: bool
) -> Failure | None:
    """The failure if an answer is of a type that is not asked for: a name, or an integer."""
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
        note = _INTEGER_TEXT if type(odd_one) is float else kind_note(odd_one, 0, hidden=hidden)
    return Failure(returned, expected, note or _INTEGER_TEXT)


def _leaves(values: Any, shape: tuple[int, ...]) -> list[Any] | None:
    """The numbers or strings in nested lists: any length, then exactly this shape. Else None."""
    if type(values) is not list or not values:
        return None
    for size in shape:
        if not all(type(row) is list and len(row) == size for row in values):
            return None
        values = [entry for row in values for entry in row]
    if not set(map(type, values)) <= {int, float, str, bool, type(None)}:
        return None
    return list(values)


def _shape(case: Mapping[str, Any]) -> tuple[int, ...]:
    """The shape of one right answer."""
    law = case["law"]
    if law.get("kind") == "categories":
        return tuple(np.shape(law["masses"])[:-1])
    if law.get("kind") == "integers":
        return tuple(np.shape(law["loc"]))
    return tuple(np.broadcast_shapes(np.shape(decode(law["loc"])), np.shape(decode(law["scale"]))))


def _constant(answers: Any, value: Any = None) -> bool:
    """Whether all answers are the same (and are this value)."""
    if isinstance(answers, list):
        first = answers[0] if value is None else value
        return all(answer == first for answer in answers)
    return bool(np.all(answers == (answers[:1] if value is None else np.asarray(value))))


def _may_be_constant(law: Mapping[str, Any], calls: int) -> bool:
    """Whether a right mechanism gives the same answer at all calls with probability above e^-50."""
    found = read(law)
    if isinstance(found, Continuous):
        return calls < 2
    most = np.log(found.masses.max(axis=1))[found.row]
    return bool((calls - 1) * most.sum() > -50)


def _law_text(law: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    size = math.prod(_shape(case))
    drawn = f"({case['calls'] * size} {'answers' if 'atoms' in law else 'numbers'} drawn)"
    if "atoms" in law:
        masses = np.asarray(law["masses"], dtype=np.float64)
        if masses.ndim == 1:
            table = [f"{p:.6g}" for p in masses.tolist()]
            return (
                f"the answers {shown(law['atoms'])} with probabilities [{', '.join(table)}]   "
                f"{drawn}"
            )
        return f"independent entries, each one of {shown(law['atoms'])} by its own law   {drawn}"
    names = {"norm": "Gaussian", "laplace": "Laplace"}
    family = names.get(law["family"], law["family"].replace("_", " "))
    centre = f"centre {shown(decode(law['loc']))}"
    if law.get("kind") == "integers":
        told = ", ".join(f"{name} {value:g}" for name, value in law["parameters"].items())
        return f"independent integer noise, {family}, {told}, {centre}   {drawn}"
    width = "standard deviation" if law["family"] == "norm" else "scale"
    return f"independent {family} noise, {width} {shown(decode(law['scale']))}, {centre}   {drawn}"


def picture(answers: Any, law: Mapping[str, Any]) -> dict[str, Any]:
    """A histogram of answers to a visible case against the law, as data with fixed rounding.

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
    if isinstance(found, Continuous):
        noise = found.noise(np.asarray(answers, dtype=np.float64)).ravel()
        low, high = (float(found.standard.ppf(u)) for u in (0.0005, 0.9995))
        edges = np.linspace(low, high, BINS + 1)
        with np.errstate(invalid="ignore"):
            counts = np.histogram(np.clip(noise, low, high), edges)[0]
        below = np.asarray(found.standard.cdf(edges), dtype=np.float64)
        below[0], below[-1] = 0.0, 1.0
        label = "noise: (answer - centre) / scale"
        return _picture(edges, counts, np.diff(below) * noise.size, label)
    flat = answers
    for _ in found.shape:
        flat = [entry for row in flat for entry in row]
    columns = found.columns(flat)
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


RANDOM = Kind(each(judge_random))
