"""Detection of pairs of submissions that are more alike than independent work would be.

A submission's code is read as tokens. Features that are easily changed to hide a copy are removed
or made equal: comments, white space, docstrings, the text of strings, and all names except
keywords, built-ins and attributes (``.log``). Every run of `K` tokens is hashed, and the smallest
hash in each window of `WINDOW` consecutive hashes is kept as a *fingerprint* (winnowing:
Schleimer, Wilkerson and Aiken 2003). Two texts that share a run of ``K + WINDOW - 1`` tokens
anywhere therefore share a fingerprint.

Fingerprints that prove nothing are removed: those of the released notebook and of the instructor's
solution, and those that many different submissions have. The other fingerprints are compared by
containment: the share of the fingerprints of the smaller submission that the larger submission
has, too.

A reported pair is a reason to compare the two submissions, never a proof of copying.
"""

from __future__ import annotations

import builtins
import io
import keyword
import tokenize
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import Final

#: the code is hashed in overlapping runs of `K` tokens. Of each `WINDOW` consecutive hashes, the
#: smallest is kept as a fingerprint
K: Final = 12
WINDOW: Final = 4

#: a fingerprint is common, and so no sign of copying, if it occurs in more than this share of the
#: different submissions, and in more than this number of them
COMMON_SHARE: Final = 0.05
COMMON_COUNT: Final = 4

#: a fingerprint in more than this number of submissions is always common; this limits the
#: computing time for a large class
COMMON_MOST: Final = 40

#: the largest number of characters of a cell that are read
LONGEST: Final = 50_000

#: a pair of submissions is reported if it shares at least `SHARED` fingerprints, and if these are
#: at least the fraction `CONTAINMENT` of the smaller submission's fingerprints
SHARED: Final = 12
CONTAINMENT: Final = 0.6

_KEPT = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Prints:
    """The fingerprints of one program text.

    Attributes
    ----------
    hashes
        The fingerprints in the order of the text.
    lines
        For each fingerprint, the numbers (from 1) of the first and the last line of the run of
        tokens that was hashed.
    """

    hashes: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pair:
    """Two submissions that are suspiciously alike.

    Attributes
    ----------
    first, second
        The names of the submissions, in alphabetical order.
    shared
        The number of shared fingerprints, without those that also occur in the instructor's
        notebooks or in many submissions.
    containment
        `shared` divided by the number of fingerprints of the submission with fewer fingerprints.
    jaccard
        `shared` divided by the number of fingerprints that at least one of the two submissions
        has.
    hashes
        The shared fingerprints.
    """

    first: str
    second: str
    shared: int
    containment: float
    jaccard: float
    hashes: frozenset[int] = field(default=frozenset(), repr=False)


def tokens(source: str) -> list[tuple[str, int]]:
    """Return the tokens of a program, each with the number of its line.

    What is easily changed to hide a copy is left out or replaced, such as comments and names.

    If the text is not valid Python, the part after the first error is split at white space.

    Examples
    --------
    >>> [word for word, _ in tokens("def f(x):\\n    return math.log(x)  # why")]
    ['def', 'V', '(', 'V', ')', ':', 'return', 'V', '.', 'log', '(', 'V', ')']
    """
    found: list[tuple[str, int]] = []
    source = source[:LONGEST]
    # whether the next token begins a statement, and whether the statement so far is only a string
    begins = alone = True
    before, last = "", 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind, text = token.type, token.string
            if kind in (tokenize.COMMENT, tokenize.NL):
                continue
            if kind in _LAYOUT:
                if kind == tokenize.NEWLINE and alone and not begins:
                    found.pop()  # the token is a docstring, which is not compared
                begins = alone = True
                continue
            alone = begins and kind == tokenize.STRING
            begins = False
            found.append((_plain(kind, text, before), token.start[0]))
            before, last = text, token.end[0]
    except (tokenize.TokenError, SyntaxError, ValueError):
        rest = source.split("\n")[last:]
        found += [(word[:40], last + i) for i, text in enumerate(rest, 1) for word in text.split()]
    return found


def _plain(kind: int, text: str, before: str) -> str:
    """Return a token in the form in which it is compared; `before` is the token before it."""
    if kind == tokenize.NAME:
        return text if text in _KEPT or before == "." else "V"
    if kind == tokenize.STRING:
        return "S"
    if kind == tokenize.NUMBER:
        try:
            return repr(float(text.replace("_", "")))
        except ValueError:
            return text
    return text


@lru_cache(maxsize=50_000)
def prints(source: str) -> Prints:
    """Return the fingerprints of a program text; a text of fewer than `K` tokens has none.

    Examples
    --------
    >>> one = prints("def mean(values):\\n    return sum(values) / max(1, len(values))")
    >>> one.hashes == prints("def m(x): # the mean\\n  return sum(x)/max(1,len(x))").hashes
    True
    """
    found = tokens(source)
    words = [word.encode("utf-8", "replace") for word, _ in found]
    runs = [zlib.crc32(b"\0".join(words[i : i + K])) for i in range(len(words) - K + 1)]
    window = min(WINDOW, len(runs))
    kept = sorted(
        {
            # if several hashes are equally small, take the last one, because most later windows
            # contain it
            min(range(first, first + window), key=lambda i: (runs[i], -i))
            for first in range(len(runs) - window + 1 if runs else 0)
        }
    )
    return Prints(
        tuple(runs[i] for i in kept), tuple((found[i][1], found[i + K - 1][1]) for i in kept)
    )


def _all_prints(texts: Iterable[str]) -> frozenset[int]:
    """Return the fingerprints of several texts together."""
    return frozenset(x for text in texts for x in prints(text).hashes)


def similar(submissions: Mapping[str, Mapping[str, str]], known: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of submissions that are suspiciously alike, the most alike first.

    Parameters
    ----------
    submissions
        For each name of a submission, the source of its solution cells by name.
    known
        Texts whose fingerprints prove nothing: cells of the released and of the instructor's
        notebook.

    Returns
    -------
    list of Pair
        The pairs. Submissions with exactly the same fingerprints are a pair, too, unless nearly all
        of these fingerprints are in `known` or occur in many submissions.

    Examples
    --------
    >>> one = "def f(a, b):\\n" + "".join(f"    a = a * {i} + b\\n" for i in range(30))
    >>> two = one.replace("a", "x").replace("    ", "  ")
    >>> (pair,) = similar({"eve": {"f": two}, "ada": {"f": one}})
    >>> pair.first, pair.second, pair.containment
    ('ada', 'eve', 1.0)
    """
    nothing = _all_prints(known)
    whole = {
        name: _all_prints(cells.values()) - nothing for name, cells in sorted(submissions.items())
    }
    # count submissions with exactly the same fingerprints once, so that the fingerprints of a text
    # that many students copied do not become common
    groups: dict[frozenset[int], list[str]] = defaultdict(list)
    for name, found in whole.items():
        groups[found].append(name)
    holders: dict[int, list[int]] = defaultdict(list)
    texts = list(groups)
    for i, found in enumerate(texts):
        for x in found:
            holders[x].append(i)
    limit = min(COMMON_MOST, max(COMMON_COUNT, int(COMMON_SHARE * len(texts))))
    common = {x for x, those in holders.items() if len(those) > limit}
    left = [found - common for found in texts]
    counts = Counter(
        pair for x, those in holders.items() if x not in common for pair in combinations(those, 2)
    )
    alike = []
    for (i, j), shared in counts.items():
        smaller = min(len(left[i]), len(left[j]))
        if shared >= SHARED and shared >= CONTAINMENT * smaller:
            either = len(left[i]) + len(left[j]) - shared
            same = left[i] & left[j]
            for first, second in map(sorted, product(groups[texts[i]], groups[texts[j]])):
                alike.append(Pair(first, second, shared, shared / smaller, shared / either, same))
    for found, names in groups.items():
        own = found - common
        if len(own) >= SHARED:
            alike += [Pair(a, b, len(own), 1.0, 1.0, own) for a, b in combinations(names, 2)]
    return sorted(alike, key=lambda p: (-p.containment, -p.shared, p.first, p.second))


def alike_lines(source: str, hashes: frozenset[int]) -> frozenset[int]:
    """Return the numbers (from 1) of a program's lines that belong to a fingerprint in `hashes`.

    Examples
    --------
    >>> text = "x = 1\\ny = [1, 2, 3, 4, 5, 6, 7]"
    >>> sorted(alike_lines(text, frozenset(prints("z = [1, 2, 3, 4, 5, 6, 7]").hashes)))
    [2]
    """
    found = prints(source)
    return frozenset(
        line
        for x, (first, last) in zip(found.hashes, found.lines, strict=True)
        if x in hashes
        for line in range(first, last + 1)
    )
