"""Whether what an assignment sends to is there: the section in the book, the paper in its list."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from dpteach.grading.core.reading import SECTION, is_paper

#: the book of this clone
BOOK: Final = Path(__file__).resolve().parents[3] / "book"


def problem(where: str, book: Path = BOOK) -> str:
    """Why nobody can read there, or ""; also where the library is installed without the book.

    Parameters
    ----------
    where
        As `dpteach.grading.core.reading` says.
    book
        The folder with the chapters and ``references.bib``.
    """
    if not where or not book.is_dir():
        return ""
    if is_paper(where):
        listed = (book / "references.bib").read_text("utf-8").lower()
        number = where.partition(":")[2].lower()
        if re.search(rf"(?<![\w.-]){re.escape(number)}(?![\w/-]|\.\w)", listed):
            return ""
        return f"book={where!r}: the bibliography, book/references.bib, has no such paper"
    found = SECTION.fullmatch(where)
    chapter, label = found.groups() if found else (where, "")
    labels = _labels(book / f"{chapter}.md")
    if labels is None:
        there = ", ".join(sorted(path.stem for path in book.glob("*.md")))
        return f"book={where!r}: the book has no page {chapter!r}; there are: {there}"
    if label not in labels:
        there = f"there are: {', '.join(labels)}" if labels else "there are none yet: add one"
        return f"book={where!r}: the page {chapter!r} has no section ({label})=; {there}"
    return ""


@lru_cache
def _labels(page: Path) -> tuple[str, ...] | None:
    """The labels of a page's sections; None if there is no page."""
    if not page.is_file():
        return None
    return tuple(re.findall(r"(?m)^\(([a-z0-9-]+)\)=$", page.read_text("utf-8")))
