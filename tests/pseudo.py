"""What a text in the pseudo-translation ``en-XA`` shows that is in no catalog."""

from __future__ import annotations

import re

#: a word of a sentence: data, names and code are told apart by what stands around them
WORD = re.compile(r"(?<![\w./=-])[A-Za-z]{2,}(?![\w./=-])")


def outside(text: str) -> str:
    """Return what of a text stands outside of all brackets; one message may hold another."""
    kept, depth = [], 0
    for char in text:
        depth += (char == "⟦") - (char == "⟧")
        if depth == 0 and char != "⟧":
            kept.append(char)
    assert depth == 0, f"a message was cut, or its brackets are not in pairs: {text}"
    return "".join(kept)


def untranslated(text: str, *data: str) -> list[str]:
    """Return the words outside of all brackets, except for code between backticks and for data.

    Parameters
    ----------
    data
        What may stand there: names, code and other texts that are no messages.
    """
    left = re.sub(r"`[^`]*`", " ", outside(text))
    for one in sorted(data, key=len, reverse=True):
        left = left.replace(one, " ")
    return WORD.findall(left)
