"""Students' answers that a person marks, with the questions, as HTML without active content.

The answers are read from the results of grading. The grader has already shortened and filtered
texts and pictures in them. The answers look as on the formgrader's page
(`dpteach.grading.pages.formgrader`), but without the grader's hints and the notebook's other cells.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import escape

from dpteach._language import catalog
from dpteach.grading.core import harmless
from dpteach.grading.core.receipt import name_of, nested, source_of
from dpteach.grading.core.result import ItemResult
from dpteach.grading.course.store import Store
from dpteach.grading.pages.formgrader import rendered, sanitized

_, _n = catalog("term")

#: the most pixels of a picture that the marking page shows, because a small file can contain a
#: compressed picture that would fill the memory of the browser
MOST_PIXELS: Final = 40_000_000

_RUBRIC = re.compile(r"### BEGIN MARK SCHEME\n?(.*?)### END MARK SCHEME", re.DOTALL)
_DATA_PICTURE = re.compile(r"data:image/[a-z+]{3,7};base64,([A-Za-z0-9+/=]+)")
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Answer:
    """One student's answer to an item that a person marks.

    Attributes
    ----------
    item, points, scheme
        The name of the item, its points, and the text of its marking scheme.
    cell, question
        The cell with the answer and the cell with the question, as JSON text.
    blank
        Whether the student left the cell as it was released, so that no person must mark it.
    """

    item: str
    points: float
    scheme: str
    cell: str
    question: str
    blank: bool

    @functools.cached_property
    def digest(self) -> str:
        """A hash of the answer and its question, which changes if one of the two changes."""
        return hashlib.sha256(f"{self.cell}{self.question}".encode()).hexdigest()[:16]

    def page(self) -> dict[str, str]:
        """Return the HTML of the answer, the question and the rubric ("" if there is none)."""
        question = json.loads(self.question)
        found = _RUBRIC.search(source_of(question))
        rubric = found[1].strip() if found else ""
        asked = _RUBRIC.sub("", source_of(question)).strip()
        return {
            "answer": _html(self.cell),
            "question": _html(json.dumps(question | {"source": asked})),
            "rubric": _html(json.dumps(question | {"source": rubric})) if rubric else "",
        }


def read_answers(store: Store) -> dict[str, dict[str, Answer]]:
    """Return all answers to the items that a person marks, by item and then by student.

    The answers are read from the results of grading, and include blank ones. The items are in the
    order of the assignment.
    """
    found: dict[str, dict[str, Answer]] = {}
    for student in store.students("results"):
        try:
            about = store.file("results", student).stat()
        except OSError:
            continue
        for answer in _of(store, student, (about.st_mtime_ns, about.st_size)):
            found.setdefault(answer.item, {})[student] = answer
    return found


@functools.lru_cache(maxsize=4096)
def _of(store: Store, student: str, version: tuple[int, int]) -> list[Answer]:
    """Return one student's answers to items that a person marks; none for a refused submission.

    Parameters
    ----------
    store
        The results of grading.
    student
        The id of the student.
    version
        The time and the size of the file with the student's result. They are only part of the
        cache's key, so that a changed file is read again.
    """
    result = store.result(student)
    if result is None or not result.notebook:
        return []
    told = json.loads(result.notebook)["cells"]
    cells = {name_of(cell): json.dumps(cell, sort_keys=True) for cell in told}

    def answer(item: ItemResult) -> Answer:
        question = cells.get(f"{item.name}_question", "{}")
        about = item.name, item.points, item.scheme
        return Answer(*about, cells[item.name], question, blank=item.score is not None)

    return [answer(one) for one in result.items if one.kind == "manual" and one.name in cells]


@functools.lru_cache(maxsize=512)
def _html(cell: str) -> str:
    """Return the HTML of a cell, given as JSON text, without scripts and outside content."""
    found = json.loads(cell)
    if found.get("cell_type") == "code":
        return sanitized(_code(found))
    attached, _left = harmless.attachments(found.get("attachments"), harmless.ATTACHED_BYTES)
    kept = {name: data for name, data in attached.items() if all(map(_fits, data.values()))}
    text = _DATA_PICTURE.sub(lambda at: at[0] if _fits(at[1]) else "", source_of(found))
    if not nested(found, "metadata", "nbgrader", "locked"):
        text = harmless.markdown(text, attached=kept)
    return rendered({"cell": found | {"attachments": kept}}, text)


def _code(cell: Mapping[str, Any]) -> str:
    """Return the HTML of a code cell and its outputs, with escaped code and texts."""
    shown = [f"<pre><code>{escape(harmless.code(source_of(cell)))}</code></pre>"]
    outputs, _left = harmless.outputs(cell.get("outputs", ()), harmless.ATTACHED_BYTES)
    for output in outputs:
        data = output.get("data", {})
        text = output.get("text") or "\n".join(output.get("traceback", ()))
        text = text or data.get("text/plain", "")
        shown.append(f"<pre>{escape(_COLORS.sub('', text))}</pre>")
        for kind in (name for name in data if name.startswith("image/")):
            alt, large = _("output of the cell"), _("(a picture is too large to be shown)")
            picture = f'<img alt="{escape(alt)}" src="data:{kind};base64,{data[kind]}">'
            shown.append(f"<p>{picture if _fits(data[kind]) else escape(large)}</p>")
    return "\n".join(shown)


def _fits(content: str) -> bool:
    """Return whether a picture in base64 can be read and has at most `MOST_PIXELS` pixels."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(base64.b64decode(content))) as picture:
            width, height = picture.size
    except Exception:  # on a damaged or hostile file, the reader of pictures may raise any error
        return False
    return width * height <= MOST_PIXELS
