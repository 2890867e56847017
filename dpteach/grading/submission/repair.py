"""The repair of a submitted notebook, which restores the assignment's cells in it.

In the repaired notebook, every named cell of the assignment (a *place*) stands once, in the
original order, with the original metadata and, if it is locked, with the original text. The texts
of solutions and answers, and all cells that the student added, come from the cells of the
submission (*pieces*).

A piece belongs to the place whose name is in the piece's metadata. If the names are lost, a check
or a locked cell is recognized by its text, a solution by the functions that it defines, and an
answer by its position.
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

from dpteach._language import N_, catalog
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import quoted
from dpteach.grading.core.receipt import is_foreign, role_of, source_of
from dpteach.grading.core.result import Notice, Notices

_, _n = catalog("submission")

#: the largest number of notices with the same code; one more notice tells how many were left out
MAX_NOTICES: Final = 8

#: a submitted code cell with at most this number of characters is parsed, and compared with the
#: released cell without regard to layout; longer cells must have the same text
_PARSED_CHARACTERS = 20_000

#: the line of a stub for a solution, by which a solution that is not written yet is recognized
UNWRITTEN: Final = "raise NotImplementedError()"

#: the stubs, that is, the texts in place of solutions in a release: nbgrader's stub for code, and
#: the setting `c.ClearSolutions.text_stub` of the course for text
STUBS: Final = {
    "code": f"# YOUR CODE HERE\n{UNWRITTEN}",
    "markdown": "*Write your answer here.*",
}
_REGION = re.compile(
    r"(?m)^([ \t]*)### BEGIN SOLUTION[^\n]*\n(?:.*?\n)??[ \t]*### END SOLUTION[^\n]*$", re.S
)
# the marking scheme and hidden tests, which nbgrader removes from the cells that students get
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
    """One cell of a submitted notebook.

    Attributes
    ----------
    cell_type, source
        The type (``"code"``, ``"markdown"`` or ``"raw"``) and the text.
    claim
        The name of one of the assignment's cells, from this cell's metadata; "" if there is none.
    attachments
        The pictures that are stored in a text cell (`dpteach.grading.core.harmless.attachments`).
    """

    cell_type: str
    source: str
    claim: str = ""
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def tidied(self) -> str:
        """The cell's text, without white space at the ends (`tidy`)."""
        return tidy(self.source)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that the cell defines or assigns at the start of a line."""
        return frozenset(match["def"] or match["let"] for match in _DEFINED.finditer(self.source))

    @cached_property
    def checked(self) -> frozenset[str]:
        """The names of the items that the cell checks by calling ``check``."""
        return frozenset(_CHECKED.findall(self.source))


@dataclass(frozen=True)
class Place:
    """One named cell of the assignment.

    Attributes
    ----------
    name, cell_type
        The name (nbgrader's ``grade_id``), and ``"code"`` or ``"markdown"``.
    role
        ``"check"``, ``"solution"``, ``"manual"`` (a question that a person grades) or ``"locked"``.
    source
        The text in the instructor's notebook; for a solution, the stub.
    released
        The text that the student got, without the marking scheme.
    functions
        The functions that a solution defines.
    metadata, id
        The metadata as JSON text, and the id of the cell.
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
    """The data about the instructor's notebook that the repair of a submission needs.

    Attributes
    ----------
    places
        The named cells, in order.
    prose
        The texts of all cells that have no name, tidied (`tidy`).
    metadata
        The notebook's metadata about kernel and language, as JSON text.
    """

    places: tuple[Place, ...]
    prose: frozenset[str]
    metadata: str

    def checks_first(self) -> list[Place]:
        """Return the named cells of the assignment: checks first, then all others."""
        return sorted(self.places, key=lambda place: place.role != "check")


@lru_cache(maxsize=4)
def shape(notebook: str) -> Shape:
    """Return the named cells, other texts and metadata of the instructor's notebook (JSON text)."""
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
    """Return, by cell id, the texts of a notebook's cells as students get them."""
    cells = json.loads(notebook)["cells"]
    return {cell["id"]: _SCHEME.sub("", _cleared(cell)) for cell in cells}


def _cleared(cell: Mapping[str, Any]) -> str:
    """Return a cell's text with stubs for solutions, as nbgrader's ClearSolutions writes it."""
    source = source_of(cell)
    if role_of(cell) not in ("solution", "manual"):
        return source
    stub = STUBS[cell["cell_type"]]
    cleared, found = _REGION.subn(
        lambda match: "\n".join(match[1] + line for line in stub.split("\n")), source
    )
    return cleared if found else stub


def _place(cell: Mapping[str, Any]) -> Place:
    """Return what the repair must know about a named cell of the instructor's notebook.

    The metadata of the returned `Place` contain nbgrader's checksum, as in the released notebook.
    """
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
    """Return a cell's checksum, as nbgrader's ``compute_checksum`` computes it.

    It replaces nbgrader's function, because importing nbgrader takes two seconds.

    Parameters
    ----------
    cell_type, source
        The type and the text of the cell.
    meta
        nbgrader's part of the cell's metadata.
    """
    grade, solution = bool(meta.get("grade")), bool(meta.get("solution"))
    locked = not solution and (grade or bool(meta.get("locked")))
    parts = [source, cell_type, str(grade), str(solution), str(locked), str(meta["grade_id"])]
    if grade:
        parts.append(str(float(meta["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def tidy(source: str) -> str:
    """Return a text without white space at its beginning, its end and the ends of its lines."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip()


def has_stub(source: str) -> bool:
    """Return whether a solution still has the line of the stub, and so is not written yet."""
    return any(line.strip() == UNWRITTEN for line in source.split("\n"))


def is_unanswered(cell: Mapping[str, Any]) -> bool:
    """Return whether the cell for an answer is empty or was left as it was released."""
    text = tidy(source_of(cell))
    if cell.get("cell_type") == "code":
        return not text or has_stub(text)
    return text in ("", STUBS["markdown"]) and not cell.get("attachments")


def _is_unchanged(place: Place, piece: Piece) -> bool:
    """Return whether a submitted cell still has the text of `place`, up to layout and comments."""
    ours = (tidy(place.source), tidy(place.released))
    theirs = piece.tidied
    if theirs in ours:
        return True
    if place.cell_type != "code":
        words = [text.split() for text in ours]
        return len(theirs) <= 2 * len(ours[0]) and theirs.split() in words
    return _meaning(theirs) in map(_meaning, ours)


def _meaning(code: str) -> str:
    """Return the syntax tree of code as a text, or the code itself if it cannot be parsed."""
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
    """The state of the repair of one submission.

    Attributes
    ----------
    pieces, shape
        The cells of the submission, called pieces, and those of the assignment, called places.
    taken
        By the name of a place, the index of the piece that belongs to it.
    copies
        The indices of pieces that have a place's name although another piece belongs to this
        place.
    answers
        By the name of a place, a piece with the answer that the student wrote outside of the cell
        for this answer.
    moved_in
        The indices of pieces whose texts were moved into the cell for an answer.
    notices
        The notices on the repairs so far.
    """

    pieces: Sequence[Piece]
    shape: Shape
    taken: dict[str, int] = field(default_factory=dict)
    copies: set[int] = field(default_factory=set)
    answers: dict[str, Piece] = field(default_factory=dict)
    moved_in: set[int] = field(default_factory=set)
    notices: Notices = field(default_factory=Notices)

    def piece(self, place: Place) -> Piece | None:
        """Return the submitted cell that belongs to a named cell of the assignment, or None."""
        i = self.taken.get(place.name)
        return None if i is None else self.pieces[i]


def repair(pieces: Sequence[Piece], exam: Exam) -> tuple[Any, list[Notice]]:
    """Return a notebook with the assignment's named cells and the cells that the student added.

    Parameters
    ----------
    pieces
        The cells of the submission, in order.
    exam
        The assignment, with the instructor's notebook.

    Returns
    -------
    NotebookNode, list of Notice
        The notebook, of format 4.5 and without outputs, and notices on the repairs.
    """
    from nbformat.notebooknode import from_dict

    work = _Repair(pieces, shape(exam.notebook))
    _match_names(work)
    nameless = _match_contents(work)
    _find_answers(work)
    _note_lost(work, nameless)
    cells = _cells(work)
    notebook = {
        "cells": cells,
        "metadata": json.loads(work.shape.metadata),
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return from_dict(notebook), _capped(work.notices)


def _match_names(work: _Repair) -> None:
    """Match submitted cells to the assignment's cells by name; match at most one cell per name."""
    places = {place.name: place for place in work.shape.places}
    claims: dict[str, list[int]] = {}
    for i, piece in enumerate(work.pieces):
        if not piece.claim:
            continue
        if piece.claim in places:
            claims.setdefault(piece.claim, []).append(i)
        else:
            text = _(
                "A cell is called {name}, which is no cell of this assignment. It was run as an "
                "ordinary cell.",
                name=quoted(piece.claim),
            )
            work.notices.note("unknown_cell", text)
    for place in work.shape.checks_first():
        found = claims.get(place.name, [])
        if not found:
            continue
        kept, why = _chosen_piece(work, place, found)
        work.taken[place.name] = kept
        if len(found) > 1:
            work.copies.update(i for i in found if i != kept)
            text = _(why, count=len(found), name=place.name)
            work.notices.note("duplicate_cell", text, place.name)


#: the notices that say which of several cells with the same name was graded
_LONGEST: Final = N_(
    "There are {count} cells called `{name}`. The one with the longest answer was taken, and the "
    "others were run as ordinary cells."
)
_FIRST: Final = N_(
    "There are {count} cells called `{name}`. The first one was taken, and the others were run as "
    "ordinary cells."
)
_BEFORE_CHECK: Final = N_(
    "There are {count} cells called `{name}`. The last one before its check was taken, and the "
    "others were run as ordinary cells."
)
_LAST: Final = N_(
    "There are {count} cells called `{name}`. The last one was taken, and the others were run as "
    "ordinary cells."
)


def _chosen_piece(work: _Repair, place: Place, found: list[int]) -> tuple[int, str]:
    """Return which of several submitted cells becomes a cell of the assignment, and a notice.

    For a solution, choose a cell that defines a function of the solution, if there is one. Of
    several such cells, choose the last one above the check, because in the student's notebook the
    check calls that cell's function, or simply the last one if none is above the check.
    """
    pieces, blank = work.pieces, tidy(place.source)
    if place.role == "manual":
        changed = [i for i in found if pieces[i].tidied not in ("", blank)]
        if changed:
            longest = max(changed, key=lambda i: len(pieces[i].tidied))
            return longest, _LONGEST
    if place.role != "solution":
        return found[0], _FIRST
    written = [i for i in found if place.functions & pieces[i].defined]
    changed = [i for i in written if pieces[i].tidied != blank]
    candidates = changed or written or found
    places = work.shape.places
    later = [one for one in places[places.index(place) :] if one.role == "check"]
    end = work.taken.get(later[0].name, len(pieces)) if later else len(pieces)
    before = [i for i in candidates if i < end]
    return (before or candidates)[-1], _BEFORE_CHECK if before else _LAST


def _match_contents(work: _Repair) -> set[str]:
    """Find, by content, submitted cells for those cells of the assignment that have none yet.

    Return the names of the assignment's cells for which a submitted cell was found. Cells for
    answers that a person grades are left out.
    """
    matched: set[str] = set()
    for place in work.shape.checks_first():
        if place.name in work.taken or place.role == "manual":
            continue
        used = {*work.taken.values(), *work.copies}
        found = [
            i for i, piece in enumerate(work.pieces) if i not in used and _is_like(place, piece)
        ]
        if found:
            work.taken[place.name] = _chosen_piece(work, place, found)[0]
            matched.add(place.name)
    return matched


def _is_like(place: Place, piece: Piece) -> bool:
    """Return whether the content of a submitted cell shows that it is the cell `place`."""
    if place.role == "solution":
        return bool(place.functions & piece.defined)
    if place.role == "check":
        return place.name in piece.checked
    return _is_unchanged(place, piece)


def _find_answers(work: _Repair) -> None:
    """Find answers that the student wrote outside of the cells for the answers.

    If the cell for an answer is missing or unchanged, the answer is the longest text cell that the
    student added between the two neighboring cells of the assignment. If there is no such text
    cell, but the student made the question longer, the answer is the text of the question.
    """
    places = work.shape.places
    for k, place in enumerate(places if work.taken else ()):
        if place.role != "manual" or place.cell_type == "code":
            continue
        piece, blank = work.piece(place), ("", tidy(place.source))
        if piece is not None and piece.tidied not in blank:
            continue
        before = [work.taken[one.name] for one in places[:k] if one.name in work.taken]
        after = [work.taken[one.name] for one in places[k + 1 :] if one.name in work.taken]
        own = [
            i
            for i in range(before[-1] + 1 if before else 0, after[0] if after else len(work.pieces))
            if i not in work.taken.values()
            and work.pieces[i].cell_type != "code"
            and work.pieces[i].tidied not in (*blank, *work.shape.prose)
        ]
        if own:
            longest = max(own, key=lambda i: len(work.pieces[i].source))
            work.answers[place.name] = work.pieces[longest]
            work.moved_in.add(longest)
        elif question := _edited_question(work, k):
            work.answers[place.name] = question
        else:
            continue
        if piece is None:
            text = _(
                "The cell for the answer `{name}` is missing. A text next to it was taken for the "
                "answer.",
                name=place.name,
            )
        else:
            text = _(
                "The cell for the answer `{name}` was left as it was. A text next to it was taken "
                "for the answer.",
                name=place.name,
            )
        work.notices.note("answer_elsewhere", text, place.name)


def _edited_question(work: _Repair, k: int) -> Piece | None:
    """Return the question above the answer cell `k` if the student made it longer, else None."""
    question = work.shape.places[k - 1] if k else None
    if question is None or question.role != "locked" or question.cell_type == "code":
        return None
    piece = work.piece(question)
    if piece is None or len(piece.source) <= len(question.released):
        return None
    return None if _is_unchanged(question, piece) else piece


def _note_lost(work: _Repair, nameless: set[str]) -> None:
    """Add notices on cells that are missing or have lost their names.

    If the notebook is of another assignment, add only a notice that says so.
    """
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
    if len(nameless) > 1:
        text = _(
            "{count} cells had lost their names, perhaps because another program saved the "
            "notebook. They were recognized by what is in them.",
            count=len(nameless),
        )
        work.notices.note("lost_names", text)
    elif nameless:
        (name,) = nameless
        text = _(
            "The cell `{name}` had lost its name. It was recognized by what is in it.", name=name
        )
        work.notices.note("lost_names", text, name)
    for place in missing:
        deleted = _DELETED[place.role]
        work.notices.note("missing_cell", _(deleted, name=place.name), place.name)


#: the notice on a deleted cell, by the cell's role
_DELETED: Final = {
    "check": N_("The cell `{name}` was deleted. It was put back, and the check was made."),
    "locked": N_("The cell `{name}` was deleted. It was put back."),
    "manual": N_("The cell `{name}` was deleted. It was put back without an answer."),
    "solution": N_(
        "The cell `{name}` was deleted. What it should define is missing, unless another cell "
        "defines it."
    ),
}


def _cells(work: _Repair) -> list[dict[str, Any]]:
    """Return the assignment's cells in order, each followed by the student's own cells below it.

    A cell of the assignment that the student moved down goes back up, and so do the student's own
    cells directly above it, because it may use names that they define.
    """
    places = work.shape.places
    owner = {
        work.taken[place.name]: k for k, place in enumerate(places) if place.name in work.taken
    }
    head: list[int] = []
    following: list[list[int]] = [[] for _place in places]
    leading: list[list[int]] = [[] for _place in places]
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
        # the message lists each cell that now stands below a cell that follows it in the assignment
        moved = [places[k].name for n, k in enumerate(order) if k < max(order[: n + 1])]
        names = ", ".join([*(f"`{name}`" for name in moved[:5]), *(["..."] if moved[5:] else [])])
        text = _(
            "Cells were moved ({names}). They were run in the order of the assignment.", names=names
        )
        work.notices.note("moved_cells", text)
    if places and places[0].name not in work.taken:
        # put a deleted first cell back above the student's code, but below the title
        lead = 0
        while lead < len(head) and work.pieces[head[lead]].cell_type != "code":
            lead += 1
        head, following[0] = head[:lead], head[lead:]
    cells = [_own(work, i) for i in head]
    for place, first, own in zip(places, leading, following, strict=True):
        cells += [_own(work, i) for i in (*_written_into(work, place), *first)]
        cells.append(_of_exam(work, place))
        cells += [_own(work, i) for i in own]
    _give_ids(cells, {place.id for place in places})
    return cells


def _cell(cell_type: str, source: str, metadata: dict[str, Any], identity: str) -> dict[str, Any]:
    """Return a cell in nbformat's version 4.5, without outputs."""
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
    """Return a cell that the student added; it keeps only its text and pictures."""
    piece = work.pieces[i]
    # turn a raw cell into a text cell, because HTML pages made from the notebook would contain the
    # text of a raw cell unescaped
    cell = _cell("code" if piece.cell_type == "code" else "markdown", piece.source, {}, "")
    if cell["cell_type"] == "markdown" and piece.attachments:
        cell["attachments"] = piece.attachments
    return cell


def _written_into(work: _Repair, place: Place) -> list[int]:
    """Find out whether the student wrote a solution into the check cell `place`.

    If so, return a list with the index of that submitted cell, else an empty list. A solution is
    recognized by a function that belongs in a cell for a solution.
    """
    i = work.taken.get(place.name)
    if i is None or place.role != "check":
        return []
    wanted = frozenset().union(*(other.functions for other in work.shape.places))
    return [i] if wanted & work.pieces[i].defined else []


def _of_exam(work: _Repair, place: Place) -> dict[str, Any]:
    """Return a named cell of the assignment; solutions and answers get the student's text."""
    metadata = json.loads(place.metadata)
    i = work.taken.get(place.name)
    piece = work.answers.get(place.name) or (None if i is None else work.pieces[i])
    source = place.source
    if piece is None:
        if place.role == "solution":
            # write a comment instead of the stub, because the stub would replace a function that
            # another cell of the student defines
            source = "# " + _("The cell {name} was deleted.", name=place.name)
    elif place.role in ("solution", "manual"):
        source = piece.source
    elif not _is_unchanged(place, piece):
        if _written_into(work, place):
            text = _(
                "The cell `{name}` was not as in the assignment, so its text was put back. What "
                "was written into it was run before it.",
                name=place.name,
            )
        else:
            text = _(
                "The cell `{name}` was not as in the assignment, so its text was put back.",
                name=place.name,
            )
        work.notices.note("locked_edited", text, place.name)
    if i is not None and work.pieces[i].cell_type != place.cell_type:
        text = _(
            "The cell `{name}` had the type {wrong}. Its type is {right} again.",
            name=place.name,
            wrong=work.pieces[i].cell_type,
            right=place.cell_type,
        )
        work.notices.note("retyped_cell", text, place.name)
    cell = _cell(place.cell_type, source, metadata, place.id)
    if place.role == "manual" and piece is not None and piece.attachments:
        cell["attachments"] = piece.attachments
    return cell


def _give_ids(cells: list[dict[str, Any]], taken: set[str]) -> None:
    """Give a new id, not in `taken`, to each of the cells whose id is not valid or not unique."""
    seen: set[str] = set()
    for n, cell in enumerate(cells):
        if not _ID.fullmatch(cell["id"]) or cell["id"] in seen:
            own = (f"own-{k}" for k in itertools.count(n, len(cells)))
            cell["id"] = next(name for name in own if name not in seen | taken)
        seen.add(cell["id"])


def _capped(notices: Iterable[Notice]) -> list[Notice]:
    """Return at most `MAX_NOTICES` notices of each code, and a notice that counts the others."""
    kept: list[Notice] = []
    counts: Counter[str] = Counter()
    for notice in notices:
        counts[notice.code] += 1
        if counts[notice.code] <= MAX_NOTICES:
            kept.append(notice)
    for code, count in counts.items():
        if count > MAX_NOTICES:
            text = _n(
                "There is {count} more notice like this.",
                "There are {count} more notices like this.",
                count - MAX_NOTICES,
            )
            kept.append(Notice(code, text))
    return kept
