"""References in feedback to a section of the book or to a paper that a student should read.

A reference is a text: ``"chapter#label"`` for a section, ``"doi:10.1109/CSF.2017.11"`` or
``"arXiv:1702.07476"`` for a paper, and ``""`` for no reference.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from dpteach._language import catalog

_, _n = catalog("core")

SECTION: Final = re.compile(r"([a-z][a-z0-9_]*)#([a-z0-9-]+)")
PAPER: Final = re.compile(r"(doi:10\.\d{4,9}/\S+|arXiv:\d{4}\.\d{4,5})")


def forms() -> str:
    """Return the allowed forms of a reference, for an error message."""
    return _(
        "of the form chapter#section, a paper such as doi:10.1109/CSF.2017.11 or "
        "arXiv:1702.07476, or empty"
    )


def is_paper(where: str) -> bool:
    """Return whether a reference is to a paper."""
    return PAPER.fullmatch(where) is not None


def is_place(where: str) -> bool:
    """Return whether a text is empty or has the form of a reference to a section or a paper.

    >>> [is_place(where) for where in ("", "renyi_dp#renyi-dp", "arXiv:1702.07476", "Mironov")]
    [True, True, True, False]
    """
    return not where or is_paper(where) or SECTION.fullmatch(where) is not None


def paper(where: str) -> tuple[str, str]:
    """Return the text and the address of a link to a paper, given by its reference.

    >>> paper("arXiv:1702.07476")
    ('arXiv:1702.07476', 'https://arxiv.org/abs/1702.07476')
    """
    kind, _colon, number = where.partition(":")
    host = "https://doi.org/" if kind == "doi" else "https://arxiv.org/abs/"
    return where, host + number


def words(where: str) -> str:
    """Return a reference to a section or a paper as plain text for a line of feedback.

    >>> words("renyi_dp#renyi-dp")
    'the book, chapter renyi_dp, section renyi-dp'
    """
    if is_paper(where):
        return where
    chapter, _mark, section = where.partition("#")
    return _("the book, chapter {chapter}, section {section}", chapter=chapter, section=section)


@lru_cache
def titles() -> dict[str, str]:
    """Return the titles of the book's chapters and sections by reference; {} if there is no
    book."""
    found = {}
    for page in sorted((Path(__file__).parents[3] / "book").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for label, title in re.findall(r"(?m)^\(([a-z0-9-]+)\)=\n+#+ (.+)$", text):
            found[f"{page.stem}#{label}"] = title.replace("$", "")
        first = re.search(r"(?m)^# (.+)$", text)
        if first:
            found[page.stem] = first[1].replace("$", "")
    return found


def section(where: str) -> str:
    """Return the chapter and section that a reference names, as text; "" for a paper.

    >>> section("nowhere_yet#a-label")
    'chapter “nowhere yet”, section a-label'
    """
    if not SECTION.fullmatch(where):
        return ""
    chapter, _mark, label = where.partition("#")
    title = titles().get(where)
    of_chapter = titles().get(chapter, chapter.replace("_", " "))
    if not title:
        return _("chapter “{chapter}”, section {label}", chapter=of_chapter, label=label)
    return _("chapter “{chapter}”, section “{section}”", chapter=of_chapter, section=title)
