"""Submitted files, made into a notebook that can be graded.

There are three steps, each of which repairs what it can and reports what it repaired:

- `read_submission` reads the files of a folder. It follows no link, opens only plain files, and
  reads a limited number of bytes.
- `intake` finds the one notebook among the files, whatever its name, encoding or format.
- `dpteach.grading.submission.repair` brings its cells into the order of the exam's.

Nothing here runs the student's code, and nothing in a submission is trusted: no name is used as a
path, no archive is opened, and only the text of a cell and its pictures are kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import (
    ATTACHED_BYTES,
    attachments,
    listed,
    lost_pictures,
    quoted,
    well_formed,
)
from dpteach.grading.core.opening import UNTRUSTED, opened_folder
from dpteach.grading.core.receipt import another_assignment, kept, name_of, nested, receipt
from dpteach.grading.core.result import Notice, Notices
from dpteach.grading.core.versions import MARK, VERSIONS, Version
from dpteach.grading.submission.repair import Piece, released, repair, tidy

#: the largest notebook that is accepted, in bytes, and how many cells it may have
MAX_BYTES: Final = 20_000_000
MAX_CELLS: Final = 2_000

#: how many characters all its cells may have
MAX_TEXT: Final = 5_000_000

#: how many files of a submission are read, and how many bytes of all of them
MAX_FILES: Final = 100
MAX_ALL_BYTES: Final = 4 * MAX_BYTES

#: the name under which `read_submission` puts its notices among the files. No submitted file has
#: it, because hidden files are not read
NOTICED: Final = ".noticed.json"

_ARCHIVES = (".zip", ".gz", ".tgz", ".7z", ".rar", ".tar", ".bz2", ".xz", ".zst")
_MAGIC = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
)

# files that nbgrader and the release put into the folder
_OURS = ("checks.json", VERSIONS, "timestamp.txt", "feedback_info.txt")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_AGAIN = "Open the assignment in JupyterLab, save it there, and hand that file in."


@dataclass(frozen=True)
class Intake:
    """A submission that is ready to be graded.

    Attributes
    ----------
    notebook
        An ``nbformat.NotebookNode`` of format 4.5 with every cell of the exam once, in the exam's
        order, and the student's own cells between them; None if nothing can be graded.
    notices
        What was repaired or refused.
    """

    notebook: Any
    notices: tuple[Notice, ...]


class _RefusedError(Exception):
    """The reason why nothing can be graded: the code and the text of a notice."""


def read_submission(folder: Path) -> dict[str, bytes]:
    """Return the files of a submission that grading needs: its notebooks.

    Of other files only the names are kept, for messages. A notebook that is too large is read as
    far as `intake` needs to notice that.

    Parameters
    ----------
    folder
        The folder with the student's files.

    Returns
    -------
    dict
        The files' bytes by name. If files were not opened, the notices that say so travel with them
        under the name `NOTICED`.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or if it or the folder around it is a link.
    """
    notices = Notices()
    found: dict[str, bytes] = {}
    room = MAX_ALL_BYTES
    with contextlib.ExitStack() as stack:
        try:
            handle = stack.enter_context(opened_folder(folder))
        except OSError as error:
            raise FileNotFoundError(
                f"folder must be a folder of files, got folder={folder}"
            ) from error
        shown = sorted(name for name in os.listdir(handle) if not _ignored(name))
        # notebooks come first, so that many other files cannot hide the one that is graded
        right = f"{folder.name}.ipynb"
        shown.sort(key=lambda name: (name != right, not _is_notebook(name)))
        if len(shown) > MAX_FILES:
            text = f"There are {len(shown)} files; only the first {MAX_FILES} were looked at."
            notices.note("too_many_files", text)
        for name in shown[:MAX_FILES]:
            content, wrong = _content(name, handle)
            room -= len(content)
            if wrong:
                notices.note("not_a_file", f"{quoted(name)} {wrong}: it was left alone.")
            elif room >= 0:
                found[name] = content
            else:
                text = f"{quoted(name)} was not read: the other files are too large."
                notices.note("too_large", text)
    if notices:
        found[NOTICED] = json.dumps([[notice.code, notice.text] for notice in notices]).encode()
    return found


def _content(name: str, folder: int) -> tuple[bytes, str]:
    """Return the bytes of a notebook (none of another file), and why it was not opened, or ""."""
    try:
        fd = os.open(name, UNTRUSTED, dir_fd=folder)
    except OSError:
        return b"", "cannot be opened, or is a link"
    try:
        told = os.fstat(fd)
        if not stat.S_ISREG(told.st_mode):
            return b"", "is a folder" if stat.S_ISDIR(told.st_mode) else "is not a plain file"
        if told.st_nlink > 1:
            return b"", "is a file of another place, too (a link)"
        if not _is_notebook(name):
            return b"", ""
        with open(fd, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1), ""
    finally:
        os.close(fd)


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of a submission: of its files' names and bytes.

    Examples
    --------
    >>> fingerprint({"a": b"1", "b": b""}) == fingerprint({"b": b"", "a": b"1"})
    True
    """
    whole = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode("utf-8", "surrogatepass"), files[name]):
            whole.update(b"%d " % len(part) + part)
    return whole.hexdigest()


def intake(files: Mapping[str, bytes], exam: Exam) -> Intake:
    """Return the notebook of a submission, repaired to fit the exam, and what was repaired.

    Parameters
    ----------
    files
        The submission's files by name, as `read_submission` returns them.

    Returns
    -------
    Intake
        It depends on the arguments alone; no names and no bytes raise an error.
    """
    notices = _noticed(files.get(NOTICED, b"[]"))
    try:
        name = _chosen(files, exam, notices)
        data = _loaded(name, files[name], notices)
        _note_changed(data, notices)
        _note_other_version(data, exam, notices)
        pieces = _pieces(data, notices)
    except _RefusedError as refused:
        return Intake(None, (*notices, Notice(*refused.args)))
    notebook, repairs = repair(pieces, exam)
    # none of the exam's cells is in it, so it is refused instead of getting zero points
    if any(notice.code == "foreign_notebook" for notice in repairs):
        told = another_assignment(data, exam.assignment)
        return Intake(None, (Notice("foreign_notebook", told),))
    return Intake(notebook, (*notices, *repairs))


def _noticed(data: bytes) -> Notices:
    try:
        return Notices(Notice(str(code), str(text)) for code, text in json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return Notices()


def _ignored(name: str) -> bool:
    """Whether a file is hidden, a checkpoint, or one of the course's own tools' files."""
    stem = name.removesuffix(".ipynb").casefold()
    return (
        name.startswith((".", "__"))
        or stem.endswith(("-checkpoint", "~"))
        or name.casefold().endswith(("~", ".pyc"))
        or name in _OURS
    )


def _is_notebook(name: str) -> bool:
    return ".ipynb" in name.casefold() and not _is_archive(name)


def _is_archive(name: str) -> bool:
    return name.casefold().endswith(_ARCHIVES)


def _chosen(files: Mapping[str, bytes], exam: Exam, notices: Notices) -> str:
    """Return the name of the file to grade."""
    names = sorted(name for name in files if not _ignored(name.rpartition("/")[2]))
    right = f"{exam.assignment}.ipynb"
    archives = [name for name in names if _is_archive(name)]
    notebooks = [name for name in names if _is_notebook(name)]
    exact = [name for name in notebooks if name.lower().endswith(".ipynb")]
    notebooks = exact or notebooks
    if not notebooks and archives:
        raise _RefusedError(
            "archive",
            f"{quoted(archives[0])} is an archive; archives are not opened. Unpack it and hand in "
            f"the notebook itself, as {quoted(right)}.",
        )
    if not notebooks:
        told = [f"No notebook {quoted(right)} was handed in.", *_left_alone(notices)]
        if names or len(told) == 1:
            told.append(f"There is {listed(names)}." if names else "There is no file at all.")
        raise _RefusedError("no_notebook", " ".join(told))
    for name in archives:
        notices.note("archive_ignored", f"{quoted(name)} is an archive: not opened.")
    if right in notebooks:
        for name in notebooks:
            if name != right:
                text = f"{quoted(name)} was not graded, {quoted(right)} was."
                notices.note("other_notebook", text)
        return right
    near = [name for name in notebooks if _plain_name(name) == _plain_name(right)]
    candidates = near or notebooks
    if len(candidates) > 1:
        raise _RefusedError(
            "several_notebooks",
            f"There are several notebooks and none is called {quoted(right)}: "
            f"{listed(candidates)}. Hand in the one that counts, under that name.",
        )
    notices.note(
        "wrong_name",
        f"The notebook is called {quoted(candidates[0])} in place of {quoted(right)}; it was "
        "graded all the same.",
    )
    return candidates[0]


def _left_alone(notices: Notices) -> list[str]:
    """Return the sentences on files that were not opened, taken out of the notices."""
    told = [notice for notice in notices if notice.code == "not_a_file"][:3]
    for notice in told:
        notices.remove(notice)
    return [notice.text for notice in told]


def _plain_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _loaded(name: str, data: bytes, notices: Notices) -> dict[str, Any]:
    """Return a notebook's bytes as JSON data with a list of cells or worksheets."""
    shown = quoted(name)
    if len(data) > MAX_BYTES:
        raise _RefusedError(
            "too_large",
            f"{shown} is larger than {MAX_BYTES // 1_000_000} MB. Clear all outputs (Edit, Clear "
            "Outputs of All Cells), save, and hand it in again.",
        )
    if data.startswith(_MAGIC):
        raise _RefusedError(
            "archive",
            f"{shown} is an archive, whatever its name; archives are not opened. Unpack it and "
            "hand in the notebook itself.",
        )
    text = _decoded(shown, data, notices).strip()
    if not text.strip("\0"):
        raise _RefusedError("empty_file", f"{shown} is empty. {_AGAIN}")
    try:
        found = json.loads(text, parse_int=_integer)
    except json.JSONDecodeError as error:
        if text.startswith("{") and (
            error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string")
        ):
            raise _RefusedError(
                "truncated", f"{shown} ends in the middle: it was not saved to its end. {_AGAIN}"
            ) from None
        raise _RefusedError("not_json", f"{shown} is not a notebook: no JSON. {_AGAIN}") from None
    except RecursionError:
        raise _RefusedError(
            "not_a_notebook", f"{shown} is not a notebook: lists in lists without end. {_AGAIN}"
        ) from None
    if not isinstance(found, dict) or not (
        isinstance(found.get("cells"), list) or isinstance(found.get("worksheets"), list)
    ):
        raise _RefusedError("not_a_notebook", f"{shown} is JSON, but not a notebook. {_AGAIN}")
    version = found.get("nbformat")
    if isinstance(version, int) and version > 4:
        shown_version = str(version) if version < 1000 else "of the future"
        raise _RefusedError(
            "format_too_new",
            f"{shown} has the notebook format {shown_version}, which is not known here. Save it "
            "in format 4.",
        )
    return found


def _note_changed(data: dict[str, Any], notices: Notices) -> None:
    """Note it if the cells have changed since ``dpteach hand-in`` made the file."""
    before = kept(data, "handed_in")
    if not before:
        return
    try:
        now = receipt(data)
    except (KeyError, TypeError, RecursionError):
        now = "none"
    if before != now:
        notices.note(
            "changed_file",
            "The file was changed after `dpteach hand-in` had made it: then the fingerprint "
            f"of its answers was {quoted(before)}, now it is {now}. It was graded as it is.",
        )


def _note_other_version(data: dict[str, Any], exam: Exam, notices: Notices) -> None:
    """Note it if the notebook holds other numbers than those by which it is graded."""
    found = kept(data, MARK)
    if not exam.values or (found == exam.version and not _has_other_numbers(data, exam)):
        return
    numbers = Version(exam.version, exam.values).brief()
    theirs = f"is the version {quoted(found)}" if found else "does not say which version it is"
    if found == exam.version:
        theirs = f"holds other numbers than its version {found}"
    notices.note(
        "other_version",
        f"This notebook {theirs}, and yours is {exam.version}. It was graded with the numbers "
        f"of yours: {numbers}. Answers to other numbers are not right.",
    )


def _has_other_numbers(data: dict[str, Any], exam: Exam) -> bool:
    """Whether a text equals one of the exam's except for its numbers.

    This finds notebooks of another version whose mark a student has changed.
    """
    ours = {tidy(text) for text in released(exam.notebook).values()}
    without = {_NUMBER.sub("#", text) for text in ours}
    cells = data.get("cells")
    texts = (tidy(_text(cell.get("source"))) for cell in _list(cells) if isinstance(cell, dict))
    return any(text not in ours and _NUMBER.sub("#", text) in without for text in texts)


def _integer(digits: str) -> int:
    """Return an integer of at most 20 digits, as Python refuses to read very long ones."""
    return int(digits[:20])


def _decoded(shown: str, data: bytes, notices: Notices) -> str:
    """Return the text of a file, in the encoding that its first bytes show."""
    encoding = json.detect_encoding(data) if data.strip(b"\0") else "utf-8"
    called = encoding.upper().removesuffix("-SIG")
    if called != "UTF-8":
        notices.note("encoding", f"{shown} is written in {called}; it was read as that.")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        notices.note(
            "bad_bytes",
            f"{shown} has bytes that are not {called}; a replacement character "
            "stands in their place.",
        )
        return data.decode(encoding, "replace")


def _pieces(data: dict[str, Any], notices: Notices) -> list[Piece]:
    """Return the cells of a notebook of format 1 to 4, reduced to what grading needs."""
    version, cells = data.get("nbformat"), data.get("cells")
    if not isinstance(cells, list) or (version in (1, 2, 3) and version is not True):
        cells = _old_cells(data)
        notices.note("old_format", "The notebook has an old format; it was converted to format 4.")
    language = nested(data, "metadata", "kernelspec", "language")
    if isinstance(language, str) and language.casefold() not in ("python", "ipython", ""):
        notices.note(
            "other_kernel",
            f"The notebook was saved with a kernel for {quoted(language)}; it was run with "
            "the course's Python.",
        )
    if len(cells) > MAX_CELLS:
        raise _RefusedError(
            "too_many_cells", f"The notebook has more than {MAX_CELLS} cells: {len(cells)}."
        )
    pieces: list[Piece] = []
    if lost := lost_pictures(cells):
        notices.note("lost_picture", lost)
    room = ATTACHED_BYTES
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") in ("code", "markdown", "raw"):
            pictures, room = attachments(cell.get("attachments"), room)
            source = _text(cell.get("source"))
            pieces.append(Piece(cell["cell_type"], source, name_of(cell), pictures))
    if sum(len(piece.source) for piece in pieces) > MAX_TEXT:
        raise _RefusedError(
            "too_large",
            f"The cells of the notebook hold more than {MAX_TEXT // 1_000_000} million characters.",
        )
    broken = len(cells) - len(pieces)
    odd = sum(not _is_text(cell.get("source")) for cell in cells if isinstance(cell, dict))
    if broken:
        notices.note("broken_cell", f"{_count(broken, 'cell')} of no known kind: left out.")
    if odd:
        notices.note("broken_source", f"{_count(odd, 'cell')} whose content is not text: emptied.")
    return pieces


def _count(number: int, what: str) -> str:
    return f"There is 1 {what}" if number == 1 else f"There are {number} {what}s"


def _is_text(source: object) -> bool:
    return isinstance(source, str) or (
        isinstance(source, list) and all(isinstance(line, str) for line in source)
    )


def _text(source: Any) -> str:
    """Return the text of a cell, with the line ends and characters that a file can hold."""
    text = "" if not _is_text(source) else source if isinstance(source, str) else "".join(source)
    return well_formed(text.replace("\0", "\ufffd"))


def _old_cells(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of a notebook of format 1 to 3 as cells of format 4, as nbformat does."""
    found: list[dict[str, Any]] = []
    for group in (*_list(data.get("worksheets")), data):
        for cell in _list(nested(group, "cells")):
            kind = nested(cell, "cell_type")
            if not isinstance(kind, str):
                continue
            source = _text(cell.get("source"))
            if kind == "code":
                source = _text(cell.get("input", source))
            elif kind == "heading":
                level = cell.get("level")
                level = level if isinstance(level, int) and 1 <= level <= 6 else 1
                kind, source = "markdown", f"{'#' * level} {' '.join(source.splitlines())}"
            elif kind != "raw":
                kind = "markdown"
            found.append({"cell_type": kind, "source": source, "metadata": cell.get("metadata")})
    return found


def _list(found: object) -> list[Any]:
    return found if isinstance(found, list) else []
