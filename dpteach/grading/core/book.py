"""Where to read again: sections of the book, by their titles."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path


@lru_cache
def titles() -> dict[str, str]:
    """The titles of the book's sections by ``chapter#label``, where the book lies beside us."""
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
    """A section in words: the titles of chapter and section, or their names.

    Parameters
    ----------
    where
        As ``"divergences#max-divergence"``.

    Examples
    --------
    >>> section("nowhere_yet#a-label")
    'chapter “nowhere yet”, section a-label'
    """
    chapter, _, label = where.partition("#")
    title = titles().get(where)
    words = f"chapter “{titles().get(chapter, chapter.replace('_', ' '))}”"
    return f"{words}, section “{title}”" if title else f"{words}, section {label}"
