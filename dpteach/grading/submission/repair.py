"""The cells of a submission, brought back into the shape of the exam's notebook.

Every named cell of the exam stands in the result once, in the exam's order, with the exam's
metadata and, where it is locked, with the exam's text. What the student wrote is kept: the text
of solutions and answers, and all cells that are not the exam's.

A cell is recognised by the name in its metadata; where that is lost, a check and a locked cell by
its text, a solution by the functions that it defines, and an answer by its place.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import quoted
from dpteach.grading.core.receipt import is_foreign, role_of, source_of
from dpteach.grading.core.result import Notice, Notices

#: how many notices of one code are written out
MAX_NOTICES: Final = 8

#: longer texts are compared character by character, not as Python
_PARSED_CHARACTERS = 20_000

#: the line of a stub by which a solution is known in which nothing is written yet
UNWRITTEN: Final = "raise NotImplementedError()"

#: what nbgrader puts in place of solutions, and the course's `c.ClearSolutions.text_stub`
STUBS: Final = {
    "code": f"# YOUR CODE HERE\n{UNWRITTEN}",
    "markdown": "*Write your answer here.*",
}
_REGION = re.compile(
    r"(?m)^([ \t]*)### BEGIN SOLUTION[^\n]*\n(?:.*?\n)??[ \t]*### END SOLUTION[^\n]*$", re.S
)
# what the student never gets
_SCHEME = re.compile(
    r"(?m)^[^\n]*### BEGIN (MARK SCHEME|HIDDEN TESTS)[^\n]*\n(?:.*?\n)??[^\n]*### END \1[^\n]*$",
    re.S,
)
_DEFINED = re.compile(
    r"(?m)^(?:(?:async[ \t]+)?def[ \t]+(?P<def>\w+)[ \t]*\(|(?P<let>\w+)[ \t]*=(?!=))"
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CHECKED = re.compile(r"(?m)^[ \t]*check\([ \t]*[\"'](\w+)[\"'][ \t]*\)")


@dataclass
class Piece:
    """One cell of a submission.

    Attributes
    ----------
    cell_type, source
        ``"code"``, ``"markdown"`` or ``"raw"``, and its text.
    claim
        The name that its metadata give it, or "".
    attachments
        The pictures that lie in a text cell (`dpteach.grading.core.harmless.attachments`).
    """

    cell_type: str
    source: str
    claim: str = ""
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def tidied(self) -> str:
        """Its text as `tidy` leaves it."""
        return tidy(self.source)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that a function or a value is given to, at the start of a line."""
        return frozenset(match["def"] or match["let"] for match in _DEFINED.finditer(self.source))

    @cached_property
    def checked(self) -> frozenset[str]:
        """The items whose checks it calls."""
        return frozenset(_CHECKED.findall(self.source))


@dataclass(frozen=True)
class Place:
    """One named cell of the exam.

    Attributes
    ----------
    name, cell_type
        Its grade_id, and ``"code"`` or ``"markdown"``.
    role
        ``"check"``, ``"solution"``, ``"manual"`` (a question that a person grades) or ``"locked"``.
    source
        What stands in the instructor's copy that is graded: a solution is the stub.
    released
        What the student got: without the scheme by which a person grades.
    functions
        What a solution defines.
    metadata, id
        The cell's.
    """

    name: str
    cell_type: str
    role: str
    source: str
    released: str
    functions: frozenset[str]
    metadata: str
    id: str


@dataclass(frozen=True)
class Shape:
    """The exam's notebook, as repairs need it.

    Attributes
    ----------
    places
        Its named cells in order.
    prose
        The texts of the other ones, tidied.
    metadata
        The notebook's metadata, as JSON.
    """

    places: tuple[Place, ...]
    prose: frozenset[str]
    metadata: str

    def checks_first(self) -> list[Place]:
        """Its places, those of checks before all others."""
        return sorted(self.places, key=lambda place: place.role != "check")


@lru_cache(maxsize=4)
def shape(notebook: str) -> Shape:
    """The cells of an exam's notebook, given as JSON text, without the solutions."""
    found = json.loads(notebook)
    places: list[Place] = []
    prose: set[str] = set()
    for cell in found["cells"]:
        if role_of(cell):
            places.append(_place(cell))
        else:
            prose.add(tidy(source_of(cell)))
    metadata = {
        key: found["metadata"][key]
        for key in ("kernelspec", "language_info")
        if key in found["metadata"]
    }
    return Shape(tuple(places), frozenset(prose), json.dumps(metadata))


def released(notebook: str) -> dict[str, str]:
    """What students get of an exam's notebook, given as JSON text: the cells' texts by their id."""
    cells = json.loads(notebook)["cells"]
    return {cell["id"]: _SCHEME.sub("", _cleared(cell)) for cell in cells}


def _cleared(cell: Mapping[str, Any]) -> str:
    """Return the text of a cell as nbgrader's ClearSolutions leaves it."""
    source = source_of(cell)
    if role_of(cell) not in ("solution", "manual"):
        return source
    stub = STUBS[cell["cell_type"]]
    cleared, found = _REGION.subn(
        lambda match: "\n".join(match[1] + line for line in stub.split("\n")), source
    )
    return cleared if found else stub


def _place(cell: Mapping[str, Any]) -> Place:
    kind, role, source = str(cell["cell_type"]), role_of(cell), _cleared(cell)
    meta = dict(cell["metadata"]["nbgrader"])
    metadata = {**cell["metadata"], "deletable": False}
    if role in ("check", "locked"):
        metadata["editable"] = False
    meta["checksum"] = checksum(kind, source, meta)
    meta["cell_type"] = kind
    metadata["nbgrader"] = meta
    return Place(
        name=str(meta["grade_id"]),
        cell_type=kind,
        role=role,
        source=source,
        released=_SCHEME.sub("", source),
        functions=frozenset(m["def"] for m in _DEFINED.finditer(source) if m["def"])
        if role == "solution"
        else frozenset(),
        metadata=json.dumps(metadata),
        id=str(cell.get("id", "")),
    )


def checksum(cell_type: str, source: str, meta: Mapping[str, Any]) -> str:
    """The checksum that nbgrader writes into a cell's metadata (``compute_checksum``).

    Parameters
    ----------
    cell_type, source
        The cell's.
    meta
        Its nbgrader metadata.
    """
    grade, solution = bool(meta.get("grade")), bool(meta.get("solution"))
    locked = not solution and (grade or bool(meta.get("locked")))
    parts = [source, cell_type, str(grade), str(solution), str(locked), str(meta["grade_id"])]
    if grade:
        parts.append(str(float(meta["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def tidy(source: str) -> str:
    """A text without the white space that no reader sees."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip()


def is_unanswered(cell: Mapping[str, Any]) -> bool:
    """Whether an answer is empty, or nothing but the stub that was released."""
    text = tidy(cell["source"])
    if cell["cell_type"] == "code":
        return text == "" or UNWRITTEN in text
    return text in ("", STUBS["markdown"]) and not cell.get("attachments")


def _same(place: Place, piece: Piece) -> bool:
    """Whether a cell says what the exam's locked cell says."""
    ours = (tidy(place.source), tidy(place.released))
    theirs = piece.tidied
    if theirs in ours:
        return True
    if place.cell_type != "code":
        words = [text.split() for text in ours]
        return len(theirs) <= 2 * len(ours[0]) and theirs.split() in words
    return _meaning(theirs) in map(_meaning, ours)


def _meaning(code: str) -> str:
    """Code without comments and layout, where it can be had."""
    if len(code) > _PARSED_CHARACTERS:
        return code
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code


@dataclass
class _Repair:
    """The work on one submission."""

    pieces: list[Piece]
    shape: Shape
    #: the piece of each place, by the place's name
    taken: dict[str, int] = field(default_factory=dict)
    #: pieces that are copies of a cell that has another piece
    copies: set[int] = field(default_factory=set)
    #: answers that stood in another cell than the one for them; the cells that became answers
    answers: dict[str, Piece] = field(default_factory=dict)
    moved_in: set[int] = field(default_factory=set)
    notices: Notices = field(default_factory=Notices)

    def free(self) -> list[int]:
        """The pieces that are nobody's so far."""
        used = set(self.taken.values()) | self.copies
        return [i for i in range(len(self.pieces)) if i not in used]


def repair(pieces: Sequence[Piece], exam: Exam) -> tuple[Any, list[Notice]]:
    """A notebook with every named cell of the exam once, and the student's own cells.

    Parameters
    ----------
    pieces
        The cells of the submission, in order.

    Returns
    -------
    NotebookNode, list of Notice
        Of format 4.5, without outputs; and what was repaired.
    """
    from nbformat import notebooknode

    from_dict: Any = notebooknode.from_dict
    work = _Repair(list(pieces), shape(exam.notebook))
    _by_name(work)
    lost = _by_content(work)
    _answers(work)
    _tell_lost(work, lost)
    cells = _cells(work)
    notebook = {
        "cells": cells,
        "metadata": json.loads(work.shape.metadata),
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return from_dict(notebook), _capped(work.notices)


def _by_name(work: _Repair) -> None:
    """Cells that say who they are; of several that say the same, one is kept."""
    places = {place.name: place for place in work.shape.places}
    claims: dict[str, list[int]] = {}
    for i, piece in enumerate(work.pieces):
        if not piece.claim:
            continue
        if piece.claim in places:
            claims.setdefault(piece.claim, []).append(i)
        else:
            work.notices.note(
                "unknown_cell",
                f"A cell is called {quoted(piece.claim)}, which is no cell of this assignment; it "
                "was run as an ordinary cell.",
            )
    for place in work.shape.checks_first():
        found = claims.get(place.name, [])
        if not found:
            continue
        kept, why = _kept(work, place, found)
        work.taken[place.name] = kept
        if len(found) > 1:
            work.copies.update(i for i in found if i != kept)
            work.notices.note(
                "duplicate_cell",
                f"There are {len(found)} cells called `{place.name}`; {why} was taken, the "
                "others were run as ordinary cells.",
                place.name,
            )


def _kept(work: _Repair, place: Place, found: list[int]) -> tuple[int, str]:
    """Which of several cells of one name counts, and why."""

    def source(i: int) -> str:
        return work.pieces[i].tidied

    if place.role == "solution":
        written = [i for i in found if place.functions & work.pieces[i].defined]
        changed = [i for i in written if source(i) != tidy(place.source)]
        return _last(work, place, changed or written or found)
    if place.role == "manual":
        changed = [i for i in found if source(i) not in ("", tidy(place.source))]
        if changed:
            return max(changed, key=lambda i: len(source(i))), "the one with the longest answer"
        return found[0], "the first one"
    return found[0], "the first one"


def _last(work: _Repair, place: Place, found: list[int]) -> tuple[int, str]:
    """Of the cells that may be a solution, the one whose function its check meets."""
    if place.role != "solution":
        return found[0], "the first one"
    places = work.shape.places
    later = [p for p in places[places.index(place) :] if p.role == "check"]
    end = work.taken.get(later[0].name) if later else None
    before = [i for i in found if end is None or i < end]
    return (before or found)[-1], "the last one before its check" if before else "the last one"


def _by_content(work: _Repair) -> set[str]:
    """Cells that have lost their names; returns the places that were found so."""
    lost: set[str] = set()
    for place in work.shape.checks_first():
        if place.name in work.taken or place.role == "manual":
            continue
        found = [i for i in work.free() if _is(place, work.pieces[i])]
        if found:
            work.taken[place.name] = _last(work, place, found)[0]
            lost.add(place.name)
    return lost


def _is(place: Place, piece: Piece) -> bool:
    """Whether a cell without a name is this one, by what is in it."""
    if place.role == "solution":
        return bool(place.functions & piece.defined)
    if place.role == "check":
        return place.name in piece.checked
    return _same(place, piece)


def _answers(work: _Repair) -> None:
    """Answers that stand in another cell than the one for them.

    The longest of the student's own text cells between the question's neighbours is the answer,
    if the cell for it is gone or was left as it was.
    """
    places = work.shape.places
    for k, place in enumerate(places if work.taken else ()):
        if place.role != "manual" or place.cell_type == "code":
            continue
        given = work.taken.get(place.name)
        blank = ("", tidy(place.source))
        if given is not None and work.pieces[given].tidied not in blank:
            continue
        before = [work.taken[p.name] for p in places[:k] if p.name in work.taken]
        after = [work.taken[p.name] for p in places[k + 1 :] if p.name in work.taken]
        start = before[-1] if before else -1
        end = after[0] if after else len(work.pieces)
        own = [
            i
            for i in range(start + 1, end)
            if i not in work.taken.values()
            and work.pieces[i].cell_type != "code"
            and work.pieces[i].tidied not in (*blank, *work.shape.prose)
        ]
        if own:
            best = max(own, key=lambda i: len(work.pieces[i].source))
            work.answers[place.name] = work.pieces[best]
            work.moved_in.add(best)
        else:
            question = _edited_question(work, k)
            if question is None:
                continue
            work.answers[place.name] = question
        work.notices.note(
            "answer_elsewhere",
            f"The cell for the answer `{place.name}` "
            + ("is missing" if given is None else "was left as it was")
            + "; a text next to it was taken for the answer.",
            place.name,
        )


def _edited_question(work: _Repair, k: int) -> Piece | None:
    """The locked text before an answer, if a student wrote into it."""
    question = work.shape.places[k - 1] if k else None
    if question is None or question.role != "locked" or question.cell_type == "code":
        return None
    i = work.taken.get(question.name)
    if i is None or len(work.pieces[i].source) <= len(question.released):
        return None
    return None if _same(question, work.pieces[i]) else work.pieces[i]


def _tell_lost(work: _Repair, lost: set[str]) -> None:
    missing = [
        place
        for place in work.shape.places
        if place.name not in work.taken and place.name not in work.answers
    ]
    roles = {place.name: place.role for place in work.shape.places}
    claimed = {*work.taken, *(piece.claim for piece in work.pieces)}
    if len(missing) == len(roles) > 1 or is_foreign(claimed, roles):
        work.notices.note("foreign_notebook", "")
        return
    if len(lost) > 1:
        work.notices.note(
            "lost_names",
            f"{len(lost)} cells had lost their names (another program saved the notebook?); they "
            "were recognised by what is in them.",
        )
    elif lost:
        (name,) = lost
        work.notices.note(
            "lost_names", f"The cell `{name}` had lost its name; it was recognised.", name
        )
    for place in missing:
        what = {
            "check": "put back, and the check was made",
            "locked": "put back",
            "manual": "put back, empty",
            "solution": "not replaced: what it should define is missing, unless another cell "
            "defines it",
        }[place.role]
        work.notices.note(
            "missing_cell", f"The cell `{place.name}` was deleted; it was {what}.", place.name
        )


def _cells(work: _Repair) -> list[dict[str, Any]]:
    """All cells in the exam's order; each is followed by the student's own that followed it.

    Those before a cell that was moved down go up with it: it may need them.
    """
    places = work.shape.places
    owner = {
        work.taken[place.name]: k for k, place in enumerate(places) if place.name in work.taken
    }
    head: list[int] = []
    following: list[list[int]] = [[] for _ in places]
    leading: list[list[int]] = [[] for _ in places]
    order: list[int] = []
    current = head
    for i in range(len(work.pieces)):
        if i in owner:
            if order and owner[i] < max(order):
                leading[owner[i]] = current[:]
                current.clear()
            order.append(owner[i])
            current = following[owner[i]]
        elif i not in work.moved_in:
            current.append(i)
    if order != sorted(order):
        # the places that do not stand in the order of those that stay
        moved = [places[k].name for n, k in enumerate(order) if k < max(order[: n + 1])]
        work.notices.note(
            "moved_cells",
            f"Cells were moved ({', '.join(f'`{name}`' for name in moved[:5])}"
            f"{', ...' if len(moved) > 5 else ''}); they were run in the assignment's order.",
        )
    if places and places[0].name not in work.taken:
        # a first cell that was deleted comes before the student's code, but after the title
        lead = 0
        while lead < len(head) and work.pieces[head[lead]].cell_type != "code":
            lead += 1
        head, following[0] = head[:lead], head[lead:]
    cells = [_own(work, i) for i in head]
    for place, first, own in zip(places, leading, following, strict=True):
        cells += [_own(work, i) for i in (*_written_into(work, place), *first)]
        cells.append(_of_exam(work, place))
        cells += [_own(work, i) for i in own]
    _name(cells, {place.id for place in places})
    return cells


def _cell(cell_type: str, source: str, metadata: dict[str, Any], identity: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": cell_type,
        "id": identity,
        "metadata": metadata,
        "source": source,
    }
    if cell_type == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def _own(work: _Repair, i: int) -> dict[str, Any]:
    """A cell that is not the exam's: its text, and nothing else of it but pictures."""
    piece = work.pieces[i]
    # a raw cell would go into a page as it is
    cell = _cell("code" if piece.cell_type == "code" else "markdown", piece.source, {}, "")
    if cell["cell_type"] == "markdown" and piece.attachments:
        cell["attachments"] = piece.attachments
    return cell


def _written_into(work: _Repair, place: Place) -> list[int]:
    """The piece of a check, if a student wrote a function of the assignment into it."""
    i = work.taken.get(place.name)
    if i is None or place.role != "check":
        return []
    wanted = frozenset().union(*(other.functions for other in work.shape.places))
    return [i] if wanted & work.pieces[i].defined else []


def _of_exam(work: _Repair, place: Place) -> dict[str, Any]:
    """A named cell of the exam, with what the student wrote where the student may write."""
    metadata = json.loads(place.metadata)
    i = work.taken.get(place.name)
    piece = work.answers.get(place.name) or (None if i is None else work.pieces[i])
    source = place.source
    if piece is None:
        if place.role == "solution":
            # not the stub: it would replace a function that another cell defines
            source = f"# The cell {place.name} was deleted."
    elif place.role in ("solution", "manual"):
        source = piece.source
    elif not _same(place, piece):
        kept = " What was written into it was run before it." * bool(_written_into(work, place))
        work.notices.note(
            "locked_edited",
            f"The cell `{place.name}` may not be changed; what it says was put back.{kept}",
            place.name,
        )
    if i is not None and work.pieces[i].cell_type != place.cell_type:
        work.notices.note(
            "retyped_cell",
            f"The cell `{place.name}` was of the type {work.pieces[i].cell_type}; it was made "
            f"{place.cell_type} again.",
            place.name,
        )
    cell = _cell(place.cell_type, source, metadata, place.id)
    if place.role == "manual" and piece is not None and piece.attachments:
        cell["attachments"] = piece.attachments
    return cell


def _name(cells: list[dict[str, Any]], taken: set[str]) -> None:
    """Gives each cell an id that no other has: those of the exam keep theirs."""
    seen: set[str] = set()
    for n, cell in enumerate(cells):
        if not _ID.fullmatch(cell["id"]) or cell["id"] in seen:
            own = (f"own-{k}" for k in itertools.count(n, len(cells)))
            cell["id"] = next(name for name in own if name not in seen | taken)
        seen.add(cell["id"])


def _capped(notices: Iterable[Notice]) -> list[Notice]:
    """The notices, at most so many of a code."""
    kept: list[Notice] = []
    counts: Counter[str] = Counter()
    for notice in notices:
        counts[notice.code] += 1
        if counts[notice.code] <= MAX_NOTICES:
            kept.append(notice)
    for code, count in counts.items():
        if count > MAX_NOTICES:
            kept.append(Notice(code, f"... and {count - MAX_NOTICES} more like this."))
    return kept
