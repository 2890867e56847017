"""A test of whether the sections and papers to which an assignment refers exist in the book."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from dpteach._language import catalog
from dpteach.grading.core.reading import SECTION, is_paper

_, _n = catalog("author")

#: the folder of the book, if dpteach runs from a clone of its repository
BOOK: Final = Path(__file__).resolve().parents[3] / "book"


def problem(where: str, book: Path = BOOK) -> str:
    """Return why a reference to the book is wrong; "" if it is right, or if there is no book.

    Parameters
    ----------
    where
        A section as ``"chapter#label"``, or a paper as ``"doi:..."`` or ``"arXiv:..."``.
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
        return _(
            "book={where!r}: the bibliography, book/references.bib, has no such paper", where=where
        )
    found = SECTION.fullmatch(where)
    chapter, label = found.groups() if found else (where, "")
    labels = _labels(book / f"{chapter}.md")
    if labels is None:
        there = ", ".join(sorted(path.stem for path in book.glob("*.md")))
        return _(
            "book={where!r}: the book has no page {page!r}. Its pages are {there}",
            where=where,
            page=chapter,
            there=there,
        )
    if not labels:
        return _(
            "book={where!r}: the page {page!r} has no labels of sections. Add ({label})= above "
            "the section",
            where=where,
            page=chapter,
            label=label,
        )
    if label not in labels:
        return _(
            "book={where!r}: the page {page!r} has no section ({label})=. Its sections are {there}",
            where=where,
            page=chapter,
            label=label,
            there=", ".join(labels),
        )
    return ""


@lru_cache
def _labels(page: Path) -> tuple[str, ...] | None:
    """Return the labels of the sections of a page of the book; None if the page does not exist."""
    if not page.is_file():
        return None
    return tuple(re.findall(r"(?m)^\(([a-z0-9-]+)\)=$", page.read_text("utf-8")))
