"""Where a student is sent to read: a section of the book, a paper, or nowhere.

A section is ``"chapter#label"``, a paper ``"doi:10.1109/CSF.2017.11"`` or ``"arXiv:1702.07476"``,
nothing is ``""``.
"""

from __future__ import annotations

import re
from typing import Final

SECTION: Final = re.compile(r"([a-z][a-z0-9_]*)#([a-z0-9-]+)")
PAPER: Final = re.compile(r"(doi:10\.\d{4,9}/\S+|arXiv:\d{4}\.\d{4,5})")

#: what is allowed, in words
FORMS: Final = (
    "of the form chapter#section, a paper such as doi:10.1109/CSF.2017.11 or arXiv:1702.07476, "
    "or empty"
)


def is_paper(where: str) -> bool:
    """Whether it is a paper."""
    return PAPER.fullmatch(where) is not None


def is_place(where: str) -> bool:
    """Whether it is a section, a paper or nothing.

    >>> [is_place(where) for where in ("", "renyi_dp#renyi-dp", "arXiv:1702.07476", "Mironov")]
    [True, True, True, False]
    """
    return not where or is_paper(where) or SECTION.fullmatch(where) is not None


def paper(where: str) -> tuple[str, str]:
    """A paper in words, and its address.

    >>> paper("arXiv:1702.07476")
    ('arXiv:1702.07476', 'https://arxiv.org/abs/1702.07476')
    """
    kind, _, number = where.partition(":")
    host = "https://doi.org/" if kind == "doi" else "https://arxiv.org/abs/"
    return where, host + number


def words(where: str) -> str:
    """Where it is, on a line of text.

    >>> words("renyi_dp#renyi-dp")
    'the book, chapter renyi_dp, section renyi-dp'
    """
    if is_paper(where):
        return where
    chapter, _, section = where.partition("#")
    return f"the book, chapter {chapter}, section {section}"
