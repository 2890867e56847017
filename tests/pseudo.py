"""Detection of untranslated text in a page that is shown in the pseudo-translation ``en-XA``.

The pseudo-translation encloses every translated message in ⟦brackets⟧, so that text outside of
brackets is untranslated.
"""

from __future__ import annotations

import re

#: matches a word of running text; file names, options and paths do not match, because of the
#: characters around their letters
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
    """Return the words outside of all ⟦brackets⟧, which are untranslated, except code and data.

    Parameters
    ----------
    data
        What may stand there: names, code and other texts that are no messages.
    """
    left = re.sub(r"`[^`]*`", " ", outside(text))
    for one in sorted(data, key=len, reverse=True):
        left = left.replace(one, " ")
    return WORD.findall(left)
