"""Conversion of submitted files to a notebook that can be graded.

There are three steps. Each step repairs faults if it can, and reports the repairs:

- `read_submission` reads the files of a folder. It follows no link, opens only plain files, and
  reads a limited number of bytes.
- `intake` finds the notebook to grade among the files, even if its name, encoding or format is
  wrong.
- `dpteach.grading.submission.repair` restores the assignment's cells in the notebook, in order.

No step runs the student's code or trusts the submission. No archive is opened, and only the text
and the pictures of a cell are kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import (
    ATTACHED_BYTES,
    attachments,
    listed,
    lost_pictures,
    quoted,
    well_formed,
)
from dpteach.grading.core.opening import open_plain, opened_folder
from dpteach.grading.core.receipt import another_assignment, kept, name_of, nested, receipt
from dpteach.grading.core.result import Notice, Notices
from dpteach.grading.core.versions import MARK, VERSIONS, Version
from dpteach.grading.submission.repair import Piece, released, repair, tidy

_, _n = catalog("submission")

#: the largest number of bytes, and of cells, of a notebook that is graded
MAX_BYTES: Final = 20_000_000
MAX_CELLS: Final = 2_000

#: the largest number of characters in all cells of a notebook together
MAX_TEXT: Final = 5_000_000

#: the largest number of files of a submission that are read, and of bytes in all these files
#: together
MAX_FILES: Final = 100
MAX_ALL_BYTES: Final = 4 * MAX_BYTES

#: the name under which `read_submission` adds its notices for the student to the files. No
#: submitted file can have this name, because hidden files are not read
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

# files of nbgrader and of the release in a student's folder, which do not belong to a submission
_OURS = ("checks.json", VERSIONS, "timestamp.txt", "feedback_info.txt")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Intake:
    """A submitted notebook that is ready to be graded, with notices on its repairs.

    Attributes
    ----------
    notebook
        An ``nbformat.NotebookNode`` of format 4.5 with every cell of the assignment once, in
        order, and the student's own cells between these; None if the submission is refused.
    notices
        The notices on the repairs, and on the reason if the submission is refused.
    """

    notebook: Any
    notices: tuple[Notice, ...]


class _RefusedError(Exception):
    """Error for a submission that cannot be graded; its arguments are a notice's code and text."""


def read_submission(folder: Path) -> dict[str, bytes]:
    """Return the files of a submission by name: notebooks with their content, other files empty.

    The other files are returned because messages mention them. Only the beginning of a notebook
    that is too large is read, just enough for `intake` to notice the size.

    Parameters
    ----------
    folder
        The folder with the student's files.

    Returns
    -------
    dict
        The files' bytes by name. If some files were not opened, the notices about them are stored
        under the name `NOTICED`.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or if the folder or its parent folder is a link.
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
        # notebooks come first, so that the limit on the number of files cannot exclude the
        # notebook to grade
        right = f"{folder.name}.ipynb"
        shown.sort(key=lambda name: (name != right, not _is_notebook(name)))
        if len(shown) > MAX_FILES:
            text = _(
                "The submission has {count} files, and only the first {most} were read. Submit the "
                "notebook alone.",
                count=len(shown),
                most=MAX_FILES,
            )
            notices.note("too_many_files", text)
        for name in shown[:MAX_FILES]:
            try:
                content = _content(name, handle)
            except OSError:
                text = _(
                    "{name} was not read, because it is a folder, a link or another special file.",
                    name=quoted(name),
                )
                notices.note("not_a_file", text)
                continue
            room -= len(content)
            if room >= 0:
                found[name] = content
            else:
                text = _(
                    "{name} was not read, because the other files are too large.", name=quoted(name)
                )
                notices.note("too_large", text)
    if notices:
        found[NOTICED] = json.dumps([[notice.code, notice.text] for notice in notices]).encode()
    return found


def _content(name: str, folder: int) -> bytes:
    """Return the bytes of a file if it is a notebook, and b"" for any other plain file.

    Raises
    ------
    OSError
        If the file is no plain file.
    """
    with open(open_plain(name, folder), "rb") as file:
        return file.read(MAX_BYTES + 1) if _is_notebook(name) else b""


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of the names and bytes of all files of a submission.

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
    """Return a submission's notebook, with the assignment's cells restored, and all notices.

    Parameters
    ----------
    files
        The submission's files by name, as `read_submission` returns them.
    exam
        The data for grading, with the assignment's cells.

    Returns
    -------
    Intake
        The result depends only on the arguments. No file raises an error, independently of its
        name and content.
    """
    notices = _noticed(files.get(NOTICED, b"[]"))
    try:
        name = _chosen_file(files, exam, notices)
        data = _loaded(name, files[name], notices)
        _note_changed(data, notices)
        _note_other_version(data, exam, notices)
        pieces = _pieces(data, notices)
    except _RefusedError as refused:
        return Intake(None, (*notices, Notice(*refused.args)))
    notebook, repairs = repair(pieces, exam)
    # refuse a notebook of another assignment, which would otherwise get zero points
    if any(notice.code == "foreign_notebook" for notice in repairs):
        told = another_assignment(data, exam.assignment)
        return Intake(None, (Notice("foreign_notebook", told),))
    return Intake(notebook, (*notices, *repairs))


def _noticed(data: bytes) -> Notices:
    """Return the notices that `read_submission` stored among the files."""
    try:
        return Notices(Notice(str(code), str(text)) for code, text in json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return Notices()


def _ignored(name: str) -> bool:
    """Return whether a file is hidden, a checkpoint, a backup, or a file that students receive."""
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


def _chosen_file(files: Mapping[str, bytes], exam: Exam, notices: Notices) -> str:
    """Return the name of the notebook to grade; raise an error if no notebook can be chosen."""
    names = sorted(name for name in files if not _ignored(name.rpartition("/")[2]))
    right = f"{exam.assignment}.ipynb"
    archives = [name for name in names if _is_archive(name)]
    notebooks = [name for name in names if _is_notebook(name)]
    exact = [name for name in notebooks if name.lower().endswith(".ipynb")]
    notebooks = exact or notebooks
    if not notebooks and archives:
        raise _RefusedError(
            "archive",
            _(
                "{name} is an archive, and no notebook was taken out of it. Unpack it and submit "
                "the notebook itself, as {right}.",
                name=quoted(archives[0]),
                right=quoted(right),
            ),
        )
    if not notebooks:
        sentences = [_("The submission has no notebook {right}.", right=quoted(right))]
        sentences += _not_read(notices)
        if names:
            sentences.append(_("It has only {names}.", names=listed(names)))
        elif len(sentences) == 1:
            sentences.append(_("It has no file at all."))
        raise _RefusedError("no_notebook", " ".join(sentences))
    for name in archives:
        text = _("{name} is an archive, and nothing in it was graded.", name=quoted(name))
        notices.note("archive_ignored", text)
    if right in notebooks:
        for name in notebooks:
            if name != right:
                text = _(
                    "{name} was not graded, because {right} was.",
                    name=quoted(name),
                    right=quoted(right),
                )
                notices.note("other_notebook", text)
        return right
    near = [name for name in notebooks if _plain_name(name) == _plain_name(right)]
    candidates = near or notebooks
    if len(candidates) > 1:
        raise _RefusedError(
            "several_notebooks",
            _(
                "The submission has several notebooks, and none is called {right}: {names}. Submit "
                "only the one that counts, under that name.",
                right=quoted(right),
                names=listed(candidates),
            ),
        )
    text = _(
        "The notebook is called {name} instead of {right}. It was graded nevertheless.",
        name=quoted(candidates[0]),
        right=quoted(right),
    )
    notices.note("wrong_name", text)
    return candidates[0]


def _not_read(notices: Notices) -> list[str]:
    """Remove up to three notices on unread files from `notices`, and return their texts."""
    found = [notice for notice in notices if notice.code == "not_a_file"][:3]
    for notice in found:
        notices.remove(notice)
    return [notice.text for notice in found]


def _plain_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _loaded(name: str, data: bytes, notices: Notices) -> dict[str, Any]:
    """Return the JSON data of a notebook; raise an error if they are damaged or have no cells."""
    shown = quoted(name)
    if len(data) > MAX_BYTES:
        raise _RefusedError(
            "too_large",
            _(
                "{name} was not graded, because it is larger than {most} MB. Clear all outputs "
                "(Edit, Clear Outputs of All Cells), save the notebook, and submit it again.",
                name=shown,
                most=MAX_BYTES // 1_000_000,
            ),
        )
    if data.startswith(_MAGIC):
        raise _RefusedError(
            "archive",
            _(
                "{name} is an archive, whatever its name, and no notebook was taken out of it. "
                "Unpack it and submit the notebook itself.",
                name=shown,
            ),
        )
    text = _decoded(shown, data, notices).strip()
    if not text.strip("\0"):
        raise _unreadable("empty_file", _("{name} is empty.", name=shown))
    try:
        found = json.loads(text, parse_int=_integer)
    except json.JSONDecodeError as error:
        if text.startswith("{") and (
            error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string")
        ):
            cut = _("{name} is cut off, because it was not saved or copied to its end.", name=shown)
            raise _unreadable("truncated", cut) from None
        other = _("{name} is not a notebook, because it is not JSON.", name=shown)
        raise _unreadable("not_json", other) from None
    except RecursionError:
        deep = _("{name} is not a notebook, because its lists are nested too deeply.", name=shown)
        raise _unreadable("not_a_notebook", deep) from None
    if not isinstance(found, dict) or not (
        isinstance(found.get("cells"), list) or isinstance(found.get("worksheets"), list)
    ):
        raise _unreadable("not_a_notebook", _("{name} is JSON, but not a notebook.", name=shown))
    version = found.get("nbformat")
    if isinstance(version, int) and version > 4:
        raise _RefusedError(
            "format_too_new",
            _(
                "{name} has a newer notebook format than this course can read. Save it in format "
                "4.",
                name=shown,
            ),
        )
    return found


def _unreadable(code: str, problem: str) -> _RefusedError:
    """Return the error that refuses an unreadable file; its text advises to save the file again."""
    advice = _("Open the assignment in JupyterLab, save it, and submit that file.")
    return _RefusedError(code, f"{problem} {advice}")


def _note_changed(data: dict[str, Any], notices: Notices) -> None:
    """Add a notice if the cells were changed after ``dpteach hand-in`` made the file."""
    before = kept(data, "handed_in")
    if not before:
        return
    try:
        now = receipt(data)
    except (KeyError, TypeError, RecursionError):
        now = "none"
    if before != now:
        text = _(
            "The file was changed after `dpteach hand-in` had made it, and it was graded as it is. "
            "The fingerprint of its answers was {before}, and it is {now} now.",
            before=quoted(before),
            now=quoted(now),
        )
        notices.note("changed_file", text)


def _note_other_version(data: dict[str, Any], exam: Exam, notices: Notices) -> None:
    """Add a notice if a notebook is not the student's personal version, which `exam` describes."""
    found = kept(data, MARK)
    if not exam.values or (found == exam.version and not _has_other_numbers(data, exam)):
        return
    if found == exam.version:
        mismatch = _("This notebook holds other numbers than its version {found}.", found=found)
    elif found:
        mismatch = _(
            "This notebook is the version {found}, and yours is {version}.",
            found=quoted(found),
            version=exam.version,
        )
    else:
        mismatch = _(
            "This notebook does not say which version it is, and yours is {version}.",
            version=exam.version,
        )
    graded = _(
        "It was graded with your numbers: {numbers}. Answers to other numbers are wrong.",
        numbers=Version(exam.version, exam.values).brief(),
    )
    notices.note("other_version", f"{mismatch} {graded}")


def _has_other_numbers(data: dict[str, Any], exam: Exam) -> bool:
    """Return whether a submitted notebook has other numbers than the student's version in `exam`.

    That is, whether one of its cells differs only in numbers from a cell of the version. The
    metadata, which name the version, are not trusted, because a student can change them.
    """
    ours = {tidy(text) for text in released(exam.notebook).values()}
    without = {_NUMBER.sub("#", text) for text in ours}
    cells = data.get("cells")
    texts = (tidy(_text(cell.get("source"))) for cell in _list(cells) if isinstance(cell, dict))
    return any(text not in ours and _NUMBER.sub("#", text) in without for text in texts)


def _integer(digits: str) -> int:
    """Return the integer of the first 20 digits; Python refuses to convert thousands of digits."""
    return int(digits[:20])


def _decoded(shown: str, data: bytes, notices: Notices) -> str:
    """Return the text of a file, decoded as its first bytes indicate (UTF-8, UTF-16 or UTF-32)."""
    encoding = json.detect_encoding(data) if data.strip(b"\0") else "utf-8"
    called = encoding.upper().removesuffix("-SIG")
    if called != "UTF-8":
        text = _(
            "{name} is encoded in {encoding}, and was read as that.", name=shown, encoding=called
        )
        notices.note("encoding", text)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        text = _(
            "{name} has bytes that are not {encoding}. A replacement character stands in their "
            "place.",
            name=shown,
            encoding=called,
        )
        notices.note("bad_bytes", text)
        return data.decode(encoding, "replace")


def _pieces(data: dict[str, Any], notices: Notices) -> list[Piece]:
    """Return the cells of a notebook of format 1 to 4, with type, text, name and pictures."""
    version, cells = data.get("nbformat"), data.get("cells")
    if not isinstance(cells, list) or (version in (1, 2, 3) and version is not True):
        cells = _old_cells(data)
        text = _("The notebook has an old format, and was converted to format 4.")
        notices.note("old_format", text)
    language = nested(data, "metadata", "kernelspec", "language")
    if isinstance(language, str) and language.casefold() not in ("python", "ipython", ""):
        text = _(
            "The notebook was saved with a kernel for {language}. It was run with the course's "
            "Python.",
            language=quoted(language),
        )
        notices.note("other_kernel", text)
    if len(cells) > MAX_CELLS:
        text = _(
            "The notebook was not graded, because it has {count:,} cells, and at most {most:,} are "
            "allowed. Delete cells that the assignment does not need, and submit it again.",
            count=len(cells),
            most=MAX_CELLS,
        )
        raise _RefusedError("too_many_cells", text)
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
        text = _(
            "The notebook was not graded, because its cells hold more than {most} million "
            "characters. Delete text that the assignment does not need, and submit it again.",
            most=MAX_TEXT // 1_000_000,
        )
        raise _RefusedError("too_large", text)
    broken = len(cells) - len(pieces)
    odd = sum(not _is_text(cell.get("source")) for cell in cells if isinstance(cell, dict))
    if broken:
        text = _n(
            "One cell was left out, because its type is unknown.",
            "{count} cells were left out, because their types are unknown.",
            broken,
        )
        notices.note("broken_cell", text)
    if odd:
        text = _n(
            "One cell was emptied, because its content is not text.",
            "{count} cells were emptied, because their content is not text.",
            odd,
        )
        notices.note("broken_source", text)
    return pieces


def _is_text(source: object) -> bool:
    return isinstance(source, str) or (
        isinstance(source, list) and all(isinstance(line, str) for line in source)
    )


def _text(source: Any) -> str:
    """Return a cell's text without characters that UTF-8 cannot encode; "" if it is no text."""
    text = "" if not _is_text(source) else source if isinstance(source, str) else "".join(source)
    return well_formed(text.replace("\0", "\ufffd"))


def _old_cells(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Convert the cells of a notebook of format 1 to 3 to cells of format 4, as nbformat does."""
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
