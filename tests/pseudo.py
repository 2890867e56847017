"""Detection of untranslated words in a text that is shown in the pseudo-language ``en-XA``.

This language encloses every translated message in ⟦brackets⟧, so text outside of brackets is
untranslated.
"""

from __future__ import annotations

import re

#: matches a word of running text, but no part of a file name, an option or a path, where a
#: character such as . / - or = stands beside the letters
WORD = re.compile(r"(?<![\w./=-])[A-Za-z]{2,}(?![\w./=-])")


def outside(text: str) -> str:
    """Return the parts of a text outside of all ⟦brackets⟧, which may be nested."""
    kept, depth = [], 0
    for char in text:
        depth += (char == "⟦") - (char == "⟧")
        if depth == 0 and char != "⟧":
            kept.append(char)
    assert depth == 0, f"a message was cut, or its brackets are not in pairs: {text}"
    return "".join(kept)


def untranslated(text: str, *data: str) -> list[str]:
    """Return the untranslated words of a text: those outside of ⟦brackets⟧ and backticks.

    Parameters
    ----------
    text
        A text in the pseudo-language, in which each translated message is in ⟦brackets⟧.
    data
        Names and other texts that are no messages, so that they may be outside of brackets.
    """
    left = re.sub(r"`[^`]*`", " ", outside(text))
    for one in sorted(data, key=len, reverse=True):
        left = left.replace(one, " ")
    return WORD.findall(left)
