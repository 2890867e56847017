"""The answers that a person marks, with their questions, as HTML that does nothing.

An answer comes from the result of grading, as the formgrader has it: texts and pictures were cut
and filtered when the submission was read. Here it is rendered as on the formgrader's page
(`dpteach.grading.pages.formgrader`), without hints and other cells.
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

#: the most pixels of a picture: a small file may hold one that fills the browser's memory
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
        The item, its points, and the lines of its scheme.
    cell, question
        The cells of the answer and of the question, as JSON text.
    blank
        Whether the answer is as it was released, and so needs no mark.
    """

    item: str
    points: float
    scheme: str
    cell: str
    question: str
    blank: bool

    @functools.cached_property
    def digest(self) -> str:
        """The fingerprint of the answer and of what it is asked."""
        return hashlib.sha256(f"{self.cell}{self.question}".encode()).hexdigest()[:16]

    def page(self) -> dict[str, str]:
        """Return the answer, the question and the rubric as HTML."""
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
    """Return the answers that a person marks, by item and student, from the results of grading.

    The items are in the assignment's order.
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
    """Return the answers of one student; none if the submission was refused.

    Parameters
    ----------
    version
        The time and the size of the result's file, so that a new result is not taken from the
        cache.
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
    """Return a cell, given as JSON text, as HTML without anything that could run or load."""
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
    """Return a cell of code and its outputs as HTML."""
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
    """Return whether a picture in base64 can be read, and has few enough pixels to be shown."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(base64.b64decode(content))) as picture:
            width, height = picture.size
    except Exception:  # of any class: the file is the student's, and the reader has many errors
        return False
    return width * height <= MOST_PIXELS
