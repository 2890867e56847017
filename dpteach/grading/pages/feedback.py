"""The feedback page of a student: which answers are right, likely errors, and what to read.

`feedback_page` is a pure function of a `Result` (the verdicts of the grader) and a `Standing` (the
grades in the gradebook). About a hidden case it shows only the texts in the verdict. Of these, it
shows ``expected``, the right answer, only if the verdict is marked ``open``, because otherwise the
text could give an answer away. Text that comes from the student is escaped and cut.

`FeedbackExporter` makes the same page for ``nbgrader generate_feedback`` and the formgrader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Final

from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from traitlets import Unicode

from dpteach._language import catalog
from dpteach.grading.core.reading import is_paper, paper, section
from dpteach.grading.core.reasons import NAMELESS, UNFAIR, UNWRITTEN, credited, reason_of
from dpteach.grading.core.result import ItemResult, Notice, Result
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.gradebook import NO_RESPONSE, Book, Standing, standing_of
from dpteach.grading.course.store import Store
from dpteach.grading.judging.verdict import hint
from dpteach.grading.pages.items import as_decided
from dpteach.grading.pages.page import histogram, number, render

_, _n = catalog("pages")

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\(")

#: default values for fields that may be missing in a verdict by an older version of this package
_EMPTY: Final[dict[str, Any]] = dict.fromkeys(
    ("misconception", "code", "kind", "promise", "said"), ""
) | {"earned": 0, "of": 1, "form_only": False, "picture": None, "failures": ()}


def feedback_page(result: Result, standing: Standing, book: str | None = None) -> str:
    """Return the feedback on a submission as one self-contained HTML page.

    Parameters
    ----------
    result
        The result of grading.
    standing
        The grades of the submission in the gradebook: the final points, including points that a
        person gave, and the comments. An item without points in the gradebook keeps its points in
        `result`.
    book
        The address of the folder with the book's pages, such as ``"https://host/book"``; None to
        name sections of the book without links.

    Returns
    -------
    str
        HTML. Equal arguments give equal pages.

    Raises
    ------
    ValueError
        If `book` does not begin with ``http://``, ``https://``, ``file://``, ``./``, ``../`` or
        ``/``.
    """
    if book is not None and not re.match(r"(https?://|file://|\.{0,2}/)", book):
        raise ValueError(
            f"book must be an address such as 'https://host/book' or '../book', got book={book!r}"
        )
    rows = [
        _row(item, standing.scores.get(item.name, item.score), result, book)
        for item in as_decided(result, standing).items
    ]
    for row in rows:
        row["decided"] = standing.notes.get(row["name"], "")
        if row["decided"] and row["state"] != "waits":
            row["state"], row["words"] = _decided(row)
    # leave out nbgrader's comment on unanswered cells, because the page itself says that an item
    # is unanswered
    comments = {name: text for name, text in standing.comments.items() if text != NO_RESPONSE}
    for row in rows:
        names = sorted({row["name"], row["cell"]} & comments.keys())
        row["comments"] = [comments.pop(name) for name in names]
        # an item that is right, or that a person must still grade, gets its own box (a card) only
        # if the page has more to say about it than its points
        row["card"] = bool(
            row["state"] in ("failed", "partly")
            or row["comments"]
            or row["scheme"]
            or row["changed"]
            or row["decided"]
            or any(part["failed"] or part["said"] for part in row["parts"])
        )
    _lost_names(rows, result.notices)
    wrong = {row["name"] for row in rows if row["lost"] > 0 and row["state"] != "waits"}
    for row in rows:
        row["earlier"] = [name for name in row["uses"] if name in wrong and name != row["name"]]
    waiting = [row for row in rows if row["state"] == "waits"]
    hidden = [(row["name"], part) for row in rows for part in row["parts"] if part["hidden"]]
    by_hand = sum(row["points"] for row in waiting)
    return render(
        "feedback.html",
        assignment=result.assignment,
        student=standing.called,
        version=result.version,
        refused=result.status == "refused",
        ungraded=result.status == "refused" and TOTAL not in standing.notes,
        rows=rows,
        advice=_advice(rows),
        waiting=[row["name"] for row in waiting],
        secret=any(not part["own"] for _name, part in hidden),
        open=[name for name, part in hidden if part["own"] and not part["form_only"]],
        by_hand=by_hand,
        decided=standing.notes.get(TOTAL, ""),
        notices=[(notice.text, notice.cell) for notice in result.notices],
        comments=[(name, text) for name, text in sorted(comments.items()) if text],
        penalty=standing.penalty,
        late=standing.late,
        total=standing.total,
        maximum=standing.maximum - by_hand,
    )


def _decided(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the CSS class and the verdict of an item whose points the instructor decided."""
    if row["lost"] <= 0:
        return "passed", _("decided by your instructor")
    return ("partly" if row["score"] else "failed"), _("decided by your instructor")


def _lost_names(rows: Sequence[dict[str, Any]], notices: Sequence[Notice]) -> None:
    """Add a note to items that failed with a NameError if the student had changed given code cells.

    Given cells are locked, and grading restores their text, so a name that the student defined in
    such a cell is missing.
    """
    items = {row["name"] for row in rows}
    cells = [
        f"`{one.cell}`"
        for one in notices
        if one.code == "locked_edited" and one.cell and one.cell not in items
    ]
    for row in rows if cells else ():
        if any(part["code"] == NAMELESS for part in row["parts"]):
            note = _(
                "You had changed given cells ({cells}), which were restored for grading. If only "
                "your version defined a name, define it in a cell of your own.",
                cells=", ".join(cells),
            )
            row["note"] = f"{row['note']} {note}".strip()


def _row(item: ItemResult, final: float | None, result: Result, book: str | None) -> dict[str, Any]:
    """Return an item's values for the page's template, except those that depend on other items."""
    parts = [
        _part(verdict, hidden)
        for verdict, hidden in ((item.visible, False), (item.hidden, True))
        if verdict is not None
    ]
    failed = [part for part in parts if part["failed"]]
    state, words = _state(item, final, failed)
    why = reason_of(item.reason) if item.reason else None
    given = bool(item.given) and final is not None and final == item.score
    right = given and item.score == item.points
    # if the answer is wrong only because it calls a wrong function of an earlier item, show no
    # hint, because the hint would be about the earlier item
    hints = [] if right else list(dict.fromkeys(part["hint"] for part in failed if part["hint"]))
    # a student's test that rejects a right implementation earns nothing, so show only the hint
    # about this fault
    alone = [part["hint"] for part in failed if part["code"] == UNFAIR]
    hints = alone[:1] if hints and alone else hints
    # for items of the three kinds below, a hint states the certain cause of the failure, unless it
    # is the hint of a declared mistake, which is always a guess
    certain = [
        part["hint"]
        for part in failed
        if part.get("mistake") is None and part.get("kind") in ("design", "hand", "tests")
    ]
    cell, source = _solution(parts, result.solutions) if failed else ("", "")
    changed = (
        item.kind == "check"
        and item.score is not None
        and final is not None
        and abs(final - item.score) > 1e-9
    )
    return {
        **vars(item),
        "score": final,
        "state": state,
        "words": words,
        "what": why.what if why else "",
        "todo": why.todo if why else "",
        "scheme": item.scheme.split("\n") if item.scheme else [],
        "parts": parts,
        "hints": hints,
        "certain": certain,
        "unwritten": bool(hints) and failed[0]["code"] == UNWRITTEN,
        "given": credited(item.score or 0.0, item.points, item.given) if given else "",
        "right": right,
        "next": "" if right else _next(item, failed, hints, cell),
        "partly": "" if given else _partly(item, final, parts),
        "changed": number(item.score or 0.0) if changed else "",
        "cell": cell,
        "source": source,
        "place": _place(item.book, book) if item.book else None,
        "lost": item.points - final if final is not None else 0.0,
    }


def _state(
    item: ItemResult, final: float | None, failed: Sequence[Mapping[str, Any]]
) -> tuple[str, str]:
    """Return the CSS class of an item, and a short text with the verdict.

    Parameters
    ----------
    final
        The item's points in the gradebook; None if a person must still grade it.
    failed
        The results of `_part` for each part of the check, visible or hidden, with a failed case.
    """
    if final is None:
        return "waits", _("a person will grade this")
    if item.reason == "unanswered" and final == 0:
        return "failed", _("not answered")
    if item.kind == "manual":
        state = "passed" if final >= item.points else "partly" if final > 0 else "failed"
        return state, _("graded by a person")
    if item.given and final >= item.points:
        return "passed", _("right, except for what it calls")
    if item.reason and not item.given:
        return "failed", _("could not be judged")
    if final >= item.points and not failed:
        return "passed", _("passed")
    if final > 0:
        return "partly", _("partly right")
    return "failed", _("not right yet")


def _next(
    item: ItemResult, failed: Sequence[Mapping[str, Any]], hints: Sequence[str], cell: str
) -> str:
    """Return a sentence on what the student should do about a wrong item, or "" for no advice."""
    if item.kind == "manual":
        return _("A person graded this. Read the comment and the question's scheme.")
    if not failed or (hints and failed[0]["code"] == UNWRITTEN):
        return ""
    where = _("the cell `{cell}`", cell=cell) if cell else _("the function")
    case = failed[0]["called"]
    if failed[0]["form_only"] and failed[0]["hidden"]:
        return _(
            "Correct the answer in {where}. The check below it recognizes only a wrong form and "
            "some typical mistakes, so only the next feedback tells whether the answer is right.",
            where=where,
        )
    if not failed[0]["hidden"]:
        return _(
            "Correct {where}, run it and the check below it until the check passes, and then "
            "choose Validate.",
            where=where,
        )
    if failed[0]["own"]:
        return _("Think again about {case}, and correct {where}.", case=case, where=where)
    if failed[0]["kind"] == "tests":
        return _(
            "The visible implementations are judged correctly. Change {where} so that this is also "
            "true of {case}.",
            case=case,
            where=where,
        )
    return _(
        "The visible cases are right. The first case that is not right is {case}. Read about such "
        "cases in the docstring, try one yourself, and correct {where}.",
        case=case,
        where=where,
    )


def _unexplained(row: Mapping[str, Any]) -> str:
    """Return advice on an item whose failed cases no known mistake explains."""
    failed = [part for part in row["parts"] if part["failed"]]
    name, todo = row["name"], row["next"]
    if not failed:
        return f"`{name}`: {todo}" if todo else _("`{name}` does not have all points.", name=name)
    part = failed[0]
    if part["form_only"]:
        text = _("`{name}`: no known mistake explains the answer.", name=name)
    elif part["hidden"]:
        text = _n(
            "`{name}`: {failed} of {count} hidden case is not right, and no known mistake explains "
            "this.",
            "`{name}`: {failed} of {count} hidden cases are not right, and no known mistake "
            "explains all of them.",
            part["tried"],
            name=name,
            failed=part["failed"],
        )
    else:
        text = _n(
            "`{name}`: {failed} of {count} visible case is not right, and no known mistake "
            "explains this.",
            "`{name}`: {failed} of {count} visible cases are not right, and no known mistake "
            "explains all of them.",
            part["tried"],
            name=name,
            failed=part["failed"],
        )
    return f"{text} {todo}".strip()


def _part(verdict: Mapping[str, Any], hidden: bool) -> dict[str, Any]:
    """Return what the page's template needs to show a verdict on visible or hidden cases."""
    told = {**_EMPTY, **verdict}
    return {
        **told,
        **_case(told, hidden),
        "hint": hint(told),
        "hidden": hidden,
        "form_only": told["form_only"] and told["tried"] == 1,
        # whether the item asks for an answer that the student worked out, such as a number, and not
        # for a function that the cases call
        "own": told["form_only"],
        # do not repeat the comment on visible cases, which the check in the student's notebook has
        # shown
        "said": told["said"] if hidden else "",
        "others": _others(told, hidden),
        # show no picture of a hidden case, because it would show the numbers of the case
        "picture": _picture(told["picture"]) if told["picture"] and not hidden else None,
    }


def _case(told: Mapping[str, Any], hidden: bool) -> dict[str, str]:
    """Return the texts about one failed case that the page may show.

    Parameters
    ----------
    told
        A verdict as data, which describes its first failed case, or an entry of its ``failures``.
    """
    return {
        "called": told.get("called", ""),
        "returned": told.get("returned", ""),
        "expected": told.get("expected", "") if told.get("open") or not hidden else "",
        "hint": told.get("misconception", ""),
    }


def _others(verdict: Mapping[str, Any], hidden: bool) -> list[dict[str, str]]:
    """Return the texts about the failed cases after the first one, without repetitions."""
    others: list[dict[str, str]] = []
    for failure in verdict["failures"][1:]:
        other = _case(failure, hidden)
        if other["hint"] == hint(verdict):
            other["hint"] = ""
        if other not in others:
            others.append(other)
    return others


def _partly(item: ItemResult, final: float | None, parts: Sequence[Mapping[str, Any]]) -> str:
    """Return a text on why the grader gave only a part of a check's points, or "" if it did not."""
    if item.kind != "check" or item.score != final or not parts:
        return ""
    if final is None or not 0 < final < item.points:
        return ""
    # the last part has the hidden cases, if there are any, and decides the points
    part = parts[-1]
    tried, of, earned = part["tried"], part["of"], part["earned"]
    told = [_partial_credit(item.points, final, Fraction(earned, max(1, of)))]
    if part["form_only"]:
        told.append(_("Each right number earns an equal share."))
    elif part["kind"] == "tests":
        told.append(
            _n(
                "Your test accepts the right implementations and rejects {earned} of {count} wrong "
                "implementation.",
                "Your test accepts the right implementations and rejects {earned} of {count} wrong "
                "implementations.",
                of,
                earned=earned,
            )
        )
    elif not part["said"]:  # if there is a text `said`, it explains the share of the points
        told.append(
            _n(
                "{right} of {count} case is right.",
                "{right} of {count} cases are right.",
                tried,
                right=tried - part["failed"],
            )
        )
        if of not in (1, tried):
            told.append(
                _(
                    "A constant answer is right for {free} of them, so {earned} of {of} count.",
                    free=tried - of,
                    earned=earned,
                    of=of,
                )
            )
    return " ".join(told)


def _partial_credit(points: float, final: float, share: Fraction) -> str:
    """Return a sentence on a check's partial credit, with the fraction if points were rounded down.

    Examples
    --------
    >>> _partial_credit(2.0, 1.0, Fraction(1, 2)), _partial_credit(2.0, 1.33, Fraction(2, 3))
    ('Partial credit: 1 of 2 points.', 'Partial credit: 2/3 of 2 points, rounded down to 1.33.')
    """
    earned, total = number(final), number(points)
    exact = Fraction(str(points)) * share
    if share.denominator < 100 and 0 < exact - Fraction(str(final)) < Fraction(1, 100):
        return _(
            "Partial credit: {share} of {total} points, rounded down to {points}.",
            share=share,
            total=total,
            points=earned,
        )
    return _("Partial credit: {points} of {total} points.", points=earned, total=total)


def _picture(data: Mapping[str, Any]) -> tuple[Markup, str] | None:
    """Return a histogram of a student's answers with its caption, or None for malformed data."""
    try:
        edges, counts, expected = data["edges"], data["counts"], data["expected"]
        many = int(sum(counts))
        caption = data.get("words") or _(
            "A histogram of {count} answers with the expected counts.", count=many
        )
        if max(counts[0], counts[-1]) > max(expected):
            caption += " " + _("The bars at both ends also count all answers further out.")
        drawn = histogram(
            edges,
            counts,
            expected=expected,
            title=caption,
            x_label=data.get("label") or _("answer"),
            y_label=_("count"),
            legend=(_("your answers"), _("expected")),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return drawn, caption


def _solution(parts: Sequence[Mapping[str, Any]], solutions: Mapping[str, str]) -> tuple[str, str]:
    """Return name and source of the student's cell that defines the function that a check calls.

    Both are "" if no solution cell defines the function.
    """
    for part in parts:
        called = _CALL.match(part["called"])
        if called:
            defines = re.compile(rf"^[ \t]*def[ \t]+{re.escape(called[1])}\b", re.MULTILINE)
            for name, source in solutions.items():
                if defines.search(source):
                    return name, source
    return "", ""


def _advice(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the page's list of advice on items that are not right, with one entry per cause.

    Entries are in increasing order of the number of other wrong items that their items build on,
    and entries with the same number are in decreasing order of the lost points. The last entry is
    about all functions that are not written yet.
    """
    missing: list[Mapping[str, Any]] = []
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["lost"] <= 1e-9 or row["state"] in ("passed", "waits"):
            continue
        hint = row["hints"][0] if row["hints"] else ""
        todo = f"{row['what']} {row['todo']}" if row["todo"] else _unexplained(row)
        if row["unwritten"]:
            missing.append(row)
        else:
            found.setdefault(hint or todo, []).append(row)
    advice = [_piece(text, group) for text, group in found.items()]
    advice.sort(key=lambda piece: (piece["later"], -piece["worth"]))
    if missing:
        names = list(dict.fromkeys(row["hints"][0] for row in missing))
        text = names[0]
        if len(names) > 1:
            text = _n(
                "{count} function is not written yet.",
                "{count} functions are not written yet. Begin with the first of them.",
                len(names),
            )
        advice.append(_piece(text, missing))
    return advice


def _piece(text: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return an entry of the list of advice: its text, its items, and its keys for sorting."""
    return {
        "text": text,
        "rows": rows,
        "worth": sum(row["lost"] for row in rows),
        "later": min(len(row["earlier"]) for row in rows),
    }


def _place(where: str, book: str | None) -> dict[str, str]:
    """Return the text for a section or paper to read, and its address ("" if there is none)."""
    if is_paper(where):
        words, href = paper(where)
        return {"words": words, "href": href}
    chapter, _, label = where.partition("#")
    href = f"{book.rstrip('/')}/{chapter}.html#{label}" if book else ""
    return {"words": section(where), "href": href}


class FeedbackExporter(HTMLExporter):
    """Exporter of nbconvert by which nbgrader's commands write this course's feedback page.

    In ``nbgrader_config.py``::

        c.GenerateFeedback.exporter_class = "dpteach.grading.pages.feedback.FeedbackExporter"
        c.FeedbackExporter.book = "https://host/book"  # optional

    ``resources["nbgrader"]`` names the submission. The result comes from the grader's records.
    Points, comments and the penalty come from the gradebook, so the page includes the points that
    a person gave later. For a submission that ``dpteach`` has not graded, nbgrader writes its own
    page.
    """

    book = Unicode("", help="The address of the book's pages, or empty.").tag(config=True)

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> Any:
        """Return the feedback page of a graded submission, and nbconvert's resources."""
        found = _graded((resources or {}).get("nbgrader", {}), self.config)
        if found is None:
            html, resources = super().from_notebook_node(nb, resources, **kw)
            return str(html), resources
        result, standing = found
        # an item that has no points in the gradebook gets 0 points here, because otherwise the page
        # would say that a person will grade it
        scores = {**dict.fromkeys((item.name for item in result.items), 0.0), **standing.scores}
        page = feedback_page(result, replace(standing, scores=scores), self.book or None)
        return page, {**resources, "output_extension": ".html"}


def _graded(told: Mapping[str, Any], config: Any) -> tuple[Result, Standing] | None:
    """Return the result and the grades of a submission, or None if one of them is missing.

    Parameters
    ----------
    told
        nbgrader's data about the submission: ``assignment``, ``student`` and others.
    config
        The settings of the course, for its folder and its late penalties.
    """
    if "assignment" not in told:
        return None
    from nbgrader.api import MissingEntry
    from nbgrader.coursedir import CourseDirectory

    coursedir, name, student = CourseDirectory(config=config), told["assignment"], told["student"]
    result = Store(coursedir.root, name).result(student)
    if result is None:
        return None
    with Book(SimpleNamespace(coursedir=coursedir, config=config), name) as book:
        try:
            notebook = book.book.find_submission_notebook(name, name, student)
        except MissingEntry:
            return None
        return result, standing_of(notebook, book.decisions, book.penalties)
