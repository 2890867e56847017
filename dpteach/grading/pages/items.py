"""Statistics of the items over a class: difficulty, discrimination, common errors and problems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.reasons import TOOK_TOO_LONG, UNWRITTEN, reason_of
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course.decisions import scaled
from dpteach.grading.course.gradebook import Standing

_, _n = catalog("pages")

#: the fewest submissions from which a correlation is computed
FEWEST = 5

#: the text about an item that was judged although the grader ended a call of its function
CALL_ENDED = N_("a call took too long (judged as not right)")


@dataclass(frozen=True)
class ItemStatistics:
    """Statistics of one item over the submissions of a class.

    Attributes
    ----------
    name, points, kind
        The item's name, its maximum points, and ``"check"`` or ``"manual"``.
    graded
        The number of submissions in which the item has been graded, possibly with 0 points.
    mean, share
        The mean of the points, and this mean as a share of the item's maximum points, which is
        near 1 for an easy item; None if `graded` is 0.
    discrimination
        The correlation of the item's points with the sum of the points of all other items (the
        corrected item-total correlation; point-biserial for an item that is all or nothing), or
        None.
    undefined
        The reason why the correlation is undefined, or "".
    unwritten
        The number of submissions in which the function was left as it was released.
    failed_visible, failed_hidden
        Of the other submissions, the number that fail a visible case, and the number that fail only
        hidden cases.
    trouble
        The number of submissions in which the item could not be judged.
    waiting
        The number of submissions in which a person must still grade the item.
    """

    name: str
    points: float
    kind: str
    graded: int
    mean: float | None
    share: float | None
    discrimination: float | None
    undefined: str
    unwritten: int
    failed_visible: int
    failed_hidden: int
    trouble: int
    waiting: int


def as_decided(result: Result, standing: Standing) -> Result:
    """Return a result in which each item has the maximum points that the instructor decided.

    The item's points are scaled to this maximum.

    Parameters
    ----------
    standing
        The grades of the submission. Their ``worth`` has the maximum points, which are 0 for an
        item that does not count.
    """
    items = []
    for item in result.items:
        worth = standing.worth.get(item.name, item.points)
        if worth != item.points:
            score = None if item.score is None else scaled(item.score, item.points, worth)
            item = replace(item, points=worth, score=score)
        items.append(item)
    return replace(result, items=tuple(items))


def counting(result: Result, standing: Standing) -> Result:
    """Return a result without the items that do not count.

    The other items have the maximum points that the instructor decided, as in `as_decided`.
    """
    told = as_decided(result, standing)
    those = {
        item.name for item in result.items if item.points and not standing.worth.get(item.name, 1)
    }
    return replace(told, items=tuple(item for item in told.items if item.name not in those))


def correlation(one: Sequence[float], other: Sequence[float]) -> tuple[float | None, str]:
    """Return Pearson's correlation and "", or None and the reason why it is undefined.

    Examples
    --------
    >>> correlation([0, 1, 1, 0, 1], [1, 3, 3, 1, 3])
    (1.0, '')
    >>> correlation([1, 1, 1, 1, 1], [1, 2, 3, 4, 5])
    (None, 'all have the same points')
    """
    if len(one) < FEWEST:
        return None, _("fewer than {least} submissions", least=FEWEST)
    if np.ptp(one) < 1e-6:
        return None, _("all have the same points")
    if np.ptp(other) < 1e-6:
        return None, _("all have the same points for the other items")
    return round(float(np.corrcoef(one, other)[0, 1]), 12), ""


def item_statistics(
    results: Mapping[str, Result], points: Mapping[str, Standing]
) -> list[ItemStatistics]:
    """Return the statistics of each item, in the assignment's order.

    Parameters
    ----------
    results
        The results of the graded submissions, by student.
    points
        The students' grades in the gradebook. An item without points in the gradebook keeps its
        points in `results`.
    """
    table: dict[str, dict[str, float | None]] = {}
    for student, result in results.items():
        final = points[student].scores if student in points else {}
        table[student] = {item.name: final.get(item.name, item.score) for item in result.items}
    answers: dict[str, list[ItemResult]] = defaultdict(list)
    for result in results.values():
        for item in result.items:
            answers[item.name].append(item)
    # an item's points are compared with the sum of the points of the other items. An item that a
    # person must still grade in some submission is left out of all sums, to keep them comparable
    settled = {name for name in answers if all(row.get(name) is not None for row in table.values())}
    statistics = []
    for name, those in answers.items():
        others = sorted(settled - {name})
        scored = [
            (score, sum(row[other] or 0.0 for other in others))
            for row in table.values()
            if (score := row.get(name)) is not None
        ]
        waiting = sum(row.get(name, 0.0) is None for row in table.values())
        statistics.append(_statistics(those, scored, waiting))
    return statistics


def _statistics(
    answers: Sequence[ItemResult], scored: Sequence[tuple[float, float]], waiting: int
) -> ItemStatistics:
    """Return the statistics of one item.

    Parameters
    ----------
    answers
        The item's result in each submission.
    scored
        For each submission with points for the item, these points and the sum of the points of the
        other items that are graded in all submissions.
    waiting
        The number of submissions in which a person must still grade the item.
    """
    item, scores = answers[-1], [score for score, _ in scored]
    value, undefined = correlation(scores, [rest for _, rest in scored])
    mean = sum(scores) / len(scores) if scores else None
    blank = [unwritten(one) for one in answers]
    seen = [bool(one.visible and one.visible.get("failed")) and not cascade(one) for one in answers]
    unseen = [bool(one.hidden and one.hidden.get("failed")) and not cascade(one) for one in answers]
    return ItemStatistics(
        name=item.name,
        points=item.points,
        kind=item.kind,
        graded=len(scores),
        mean=mean,
        share=None if mean is None else mean / item.points,
        discrimination=value,
        undefined=undefined,
        unwritten=sum(blank),
        failed_visible=sum(a and not c for a, c in zip(seen, blank, strict=True)),
        failed_hidden=sum(b and not a for a, b in zip(seen, unseen, strict=True)),
        trouble=sum(bool(reason_of(one.reason).trouble) for one in answers),
        waiting=waiting,
    )


def troubles(results: Mapping[str, Result]) -> Iterator[tuple[str, str, str]]:
    """Yield student, item and problem for each item that was not judged or took too long.

    Items that are wrong only because they call wrong functions of earlier items are left out.
    """
    for student, result in results.items():
        for item in result.items:
            told = reason_of(item.reason).trouble or (_(CALL_ENDED) if _ended(item) else "")
            if told and not cascade(item):
                yield student, item.name, told


def _ended(item: ItemResult) -> bool:
    """Return whether a call of the item's function was ended because it took too long."""
    told = [verdict for verdict in (item.visible, item.hidden) if verdict]
    failures = [failure for one in told for failure in (one, *one.get("failures", ()))]
    return any(one.get("code") == TOOK_TOO_LONG for one in failures)


def unwritten(item: ItemResult) -> bool:
    """Return whether the student left the item's function as it was released."""
    return (item.visible or {}).get("code") == UNWRITTEN and not cascade(item)


def cascade(item: ItemResult) -> bool:
    """Return whether an item is wrong only because it calls wrong functions of earlier items."""
    return bool(item.given) and item.score == item.points


def misconceptions(results: Mapping[str, Result]) -> list[tuple[str, str, list[str]]]:
    """Return item, message and students of each misconception, the most common first.

    Items that are wrong only because they call wrong functions of earlier items are left out.
    """
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, result in results.items():
        for item in result.items:
            for verdict in () if cascade(item) else (item.visible, item.hidden):
                told = verdict or {}
                said = told.get("misconception", "")
                # calls that took too long are not misconceptions but problems, which `troubles`
                # lists
                if told.get("code") == TOOK_TOO_LONG:
                    continue
                if said and told.get("failed") and not unwritten(item):
                    found[item.name, str(said)].append(student)
                    break
    order = sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [(name, said, students) for (name, said), students in order]
