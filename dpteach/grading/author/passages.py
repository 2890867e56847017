"""Paragraphs that all assignments share; ``{{passage NAME}}`` in a text source includes one.

The paragraphs are in ``templates/passages.md``. An included paragraph is a single line, so that
error messages still name the right lines of the text source.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

_TEXT: Final = (Path(__file__).parent / "templates" / "passages.md").read_text("utf-8")

#: the paragraphs that any assignment can include, by the NAME in ``{{passage NAME}}``
PASSAGES: Final = {
    name: " ".join(text.split()).replace("SUBMISSION_SECONDS", str(SUBMISSION_SECONDS))
    for name, text in re.findall(r"(?ms)^## (\w+)\n(.*?)(?=^## |\Z)", _TEXT)
}

_PLACE = re.compile(r"\{\{passage +(\w*)\}\}")


def with_passages(text: str) -> str:
    """Return a text with each ``{{passage NAME}}`` replaced by the paragraph of that name.

    Raises
    ------
    ValueError
        If there is no passage with one of the names.

    Examples
    --------
    >>> with_passages("{{passage hints}}")[:17]
    'Below each functi'
    """
    for at in _PLACE.finditer(text):
        if at[1] not in PASSAGES:
            raise ValueError(f"{at[0]}: there is no such passage; there are: {', '.join(PASSAGES)}")
    return _PLACE.sub(lambda at: PASSAGES[at[1]], text)
