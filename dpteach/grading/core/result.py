"""The result of grading one submission, as plain data.

A `Result` names no student, time or machine. The same submission, graded with the same seed,
therefore gives the same bytes on every machine, for every instructor and with any number of
workers.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog, language, translations

_, _n = catalog("core")

#: the version of the format of results. It must be increased if the program can no longer read
#: older results
FORMAT: Final = 3

#: the largest number of bytes of a result. An ordinary submission without pictures needs less than
#: a tenth of it
MOST_BYTES: Final = 20_000_000

#: the subpackages of `dpteach.grading` on whose code a result depends
_ROOMS: Final = ("core", "kinds", "judging", "sandbox", "submission", "classroom")


def graded_by() -> str:
    """Return the SHA-256 of the grader's code and of its messages in the current language.

    A change of the code or of a translation may change a result.
    """
    return _graded_by(language())


@functools.cache
def _graded_by(language: str) -> str:
    found = hashlib.sha256(language.encode())
    for path in translations(language):
        found.update(path.read_bytes())
    for room in _ROOMS:
        for path in sorted((Path(__file__).parents[1] / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def notebook_text(notebook: Any) -> str:
    """Return a notebook as JSON text; equal notebooks have equal texts."""
    return json.dumps(notebook, sort_keys=True, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class Notice:
    """A problem that was found in a submission, and what was done about it.

    Attributes
    ----------
    code
        A fixed name, such as ``"duplicate_cell"``, by which reports count notices of the same
        type.
    text
        A sentence for the student and the instructor.
    cell
        The name of the cell with the problem, or "".
    """

    code: str
    text: str
    cell: str = ""


class Notices(list[Notice]):
    """The notices on a submission, in the order in which they were found."""

    def note(self, code: str, text: str, cell: str = "") -> None:
        """Append a notice with this code, text and cell."""
        self.append(Notice(code, text, cell))


@dataclass(frozen=True)
class ItemResult:
    """The points of an item in a submission, and the verdicts that explain them.

    Attributes
    ----------
    name, kind, points, book
        The item's name; ``"check"`` or ``"manual"``; the most points that it can earn; and the
        section or paper to read (`dpteach.grading.core.reading`).
    key
        Fingerprint of the item's declaration. When it changes, the item is graded again.
    score
        The points that the student earned for the item; None if a person must grade it.
    visible, hidden
        The verdicts on the visible and the hidden cases as data
        (`dpteach.grading.judging.verdict.Verdict`), or None for cases that were not judged.
    reason
        The reason why the item could not be judged, such as ``"time"``, or ""
        (`dpteach.grading.core.reasons.REASONS`).
    note
        A text for the student on the cell whose error explains lost points, or "". The text
        contains code of the student, so HTML pages must escape it.
    scheme
        The marking scheme of a manual item, with a line for each yes-or-no criterion, or "".
    uses
        The earlier items whose functions the answer uses.
    given
        The earlier items whose wrong functions were replaced by right ones when the points were
        computed (`dpteach.grading.classroom.lending`). The verdicts are those from before the
        replacement.
    """

    name: str
    kind: str
    points: float
    book: str
    key: str
    score: float | None
    visible: dict[str, Any] | None = None
    hidden: dict[str, Any] | None = None
    reason: str = ""
    note: str = ""
    scheme: str = ""
    uses: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> ItemResult:
        """Return the item that `Result.to_data` converted to these data."""
        names = {key: tuple(data.get(key, ())) for key in ("uses", "given")}
        return cls(**{**data, **names})


@dataclass(frozen=True)
class Result:
    """The result of grading one submission.

    Attributes
    ----------
    assignment, seed
        The name of the assignment, and the seed from which the hidden inputs were drawn.
    submission
        SHA-256 of the submission's files.
    instructor
        SHA-256 of the instructor's notebook, from which the repair restored the assignment's cells.
    sandbox
        ``"bubblewrap"``, or ``"none"`` if the student's code ran without a sandbox.
    status
        ``"graded"``, or ``"refused"`` if the submission has no notebook that can be graded.
    notices
        The problems that were found in the submission.
    items
        The items in the order of the assignment.
    notebook
        The repaired notebook with what its cells printed, as JSON text; "" if refused.
    solutions
        The source of each solution cell by name, for comparing submissions.
    version
        The name of the student's personal version, or "" if the assignment has none.
    program
        SHA-256 of the code that graded the submission (`graded_by`).
    """

    assignment: str
    seed: int
    submission: str
    instructor: str
    sandbox: str
    status: str
    notices: tuple[Notice, ...]
    items: tuple[ItemResult, ...]
    notebook: str
    solutions: dict[str, str] = field(default_factory=dict)
    version: str = ""
    program: str = ""

    @property
    def refusal(self) -> str:
        """The sentence that explains why the submission was refused, or "" if it was graded."""
        if self.status == "graded":
            return ""
        texts = [notice.text for notice in self.notices]
        return texts[-1] if texts else _("there is nothing to grade")

    @property
    def score(self) -> float:
        """Return the sum of the points of all automatically graded items."""
        return sum(item.score for item in self.items if item.score is not None)

    def updated(self, later: Result) -> Result:
        """Return a copy of this result in which the items of a later result replace the old ones.

        In the notebook, the outputs of the checks of these items are replaced, too. The bytes of
        the copy are therefore the same as if all items had been graded again.

        Parameters
        ----------
        later
            The result of grading some items of the same submission again.
        """
        items = {item.name: item for item in later.items}
        notebook = self.notebook
        if notebook and later.notebook:
            data = json.loads(notebook)
            outputs = {
                name: cell.get("outputs", [])
                for cell in json.loads(later.notebook)["cells"]
                if (name := cell["metadata"].get("nbgrader", {}).get("grade_id")) in items
            }
            for cell in data["cells"]:
                name = cell["metadata"].get("nbgrader", {}).get("grade_id")
                if name in outputs and cell["cell_type"] == "code":
                    cell["outputs"] = outputs[name]
            notebook = notebook_text(data)
        return replace(
            self,
            items=tuple(items.get(item.name, item) for item in self.items),
            notebook=notebook,
        )

    def bounded(self) -> Result:
        """Return this result, or, if it exceeds `MOST_BYTES`, one that refuses the submission."""
        if len(self.to_bytes()) <= MOST_BYTES:
            return self
        told = _(
            "The answers, outputs and texts of this notebook take more than {size} MB, so its "
            "result cannot be kept. Remove large outputs and pictures, and submit it again.",
            size=MOST_BYTES // 1_000_000,
        )
        return replace(
            self,
            status="refused",
            notices=(Notice("too_large", told),),
            items=tuple(
                ItemResult(one.name, one.kind, one.points, one.book, one.key, 0.0, reason="missing")
                for one in self.items
            ),
            notebook="",
            solutions={},
        )

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON data; nested values are shared, not copied."""
        data = dict(vars(self))
        data["notices"] = [vars(notice) for notice in self.notices]
        data["items"] = [vars(item) for item in self.items]
        if not self.version:
            del data["version"]
        return data

    def to_bytes(self) -> bytes:
        """Return the result as JSON text in bytes; equal results give equal bytes."""
        # do not indent the JSON text: without indentation, Python uses C code, which takes a fifth
        # of the time
        text = json.dumps({"format": FORMAT, **self.to_data()}, ensure_ascii=True, sort_keys=True)
        return text.encode() + b"\n"

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Result:
        """Return the result that `to_data` converted to these data; ``notebook`` may be missing.

        Raises
        ------
        ValueError
            If the data are not a result.
        """
        try:
            found = {"notebook": "", **data}
            found["notices"] = tuple(Notice(**notice) for notice in found["notices"])
            found["items"] = tuple(map(ItemResult.from_data, found["items"]))
            return cls(**found)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(str(error)) from None

    @classmethod
    def from_bytes(cls, data: bytes) -> Result:
        """Return the result that `to_bytes` converted to these bytes.

        Raises
        ------
        ValueError
            If the data are not a result in the format with the version `FORMAT`.
        """
        try:
            found = json.loads(data)
            if found.pop("format") != FORMAT:
                raise ValueError("another format")
            return cls.from_data(found)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"data must be a result of format {FORMAT}: {error}") from None
