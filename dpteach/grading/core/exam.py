"""An exam: all data that grading a submission needs, as bytes that can be sent to a process.

An exam contains the right answers, so a process that grades submissions needs neither the source of
the assignment nor the reference solution.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from dpteach._language import language
from dpteach.grading.core.names import data_path
from dpteach.grading.core.specification import Part
from dpteach.grading.core.versions import Value


@dataclass(frozen=True)
class Item:
    """An item of an exam: a check with its right answers, or a question that a person grades.

    Attributes
    ----------
    name, kind, points, book
        The item's name; ``"check"`` or ``"manual"``; the most points that it can earn; and the
        section of the book, or the paper, that the feedback refers to.
    call
        The name of the student's function; "" for a question that a person grades.
    visible, hidden
        The data of the check's visible and hidden cases; None if it has no such cases, or for a
        question that a person grades.
    scheme
        The marking scheme of a question that a person grades, as text, or "".
    """

    name: str
    kind: str
    points: float
    book: str
    call: str = ""
    visible: Part[Any] | None = None
    hidden: Part[Any] | None = None
    scheme: str = ""

    @cached_property
    def key(self) -> str:
        """Return the SHA-256 of the whole item, including its hidden inputs and right answers."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Exam:
    """An assignment with its items, right answers and files, as the grader needs it.

    Attributes
    ----------
    assignment
        The name of the assignment.
    seed
        The number from which the hidden inputs were drawn.
    notebook
        The instructor's notebook as JSON text.
    items
        The items in the order of the assignment.
    files
        The assignment's data files in base64, by their path relative to the notebook.
    language
        The language in which the result is written.
    version, values
        The name and the parameters of the student's personal version of the assignment, if it has
        such versions (`dpteach.grading.core.versions.Version`).
    """

    assignment: str
    seed: int
    notebook: str
    items: tuple[Item, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    language: str = field(default_factory=language)

    @property
    def instructor(self) -> str:
        """Return the SHA-256 of the instructor's notebook, together with any data files."""
        whole = hashlib.sha256(self.notebook.encode())
        if self.files:
            whole.update(json.dumps(dict(self.files), sort_keys=True).encode())
        return whole.hexdigest()

    def data(self) -> dict[str, bytes]:
        """Return the contents of the data files by their path relative to the notebook."""
        return {data_path(name): base64.b64decode(content) for name, content in self.files.items()}

    @property
    def key(self) -> str:
        """Return the SHA-256 of the whole exam."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def to_bytes(self) -> bytes:
        """Return the exam as JSON text in bytes."""
        return json.dumps(asdict(self), sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Exam:
        """Return the exam that `to_bytes` converted to these bytes."""
        found = json.loads(data)
        found["items"] = tuple(Item(**item) for item in found["items"])
        return cls(**found)
