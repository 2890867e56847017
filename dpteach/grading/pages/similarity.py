"""Pairs of submissions that are more alike than independent work would be.

A submission's code is read as tokens. What is easily changed to hide a copy is dropped or made
equal: comments, white space, docstrings, the text of strings, and all names but keywords, built-ins
and attributes (``.log``). Every run of `K` tokens is hashed, and of these
hashes only *fingerprints* are kept: in every window of `WINDOW` hashes the smallest one (winnowing:
Schleimer, Wilkerson and Aiken 2003). Two texts that share a run of ``K + WINDOW - 1`` tokens then
share a fingerprint, wherever the run stands.

What proves nothing is taken out: fingerprints of the released notebook and of the instructor's
solution, and those that many different submissions have. What is left of a pair is compared by
containment, the share of the smaller one's fingerprints that the other has too.

A pair is a reason to look, never a proof.
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

import numpy as np
from numpy.typing import NDArray

#: tokens of a run, and runs of which one is kept
K: Final = 12
WINDOW: Final = 4

#: fingerprints that more different submissions have than this share, and than this number, are
#: what everybody writes
COMMON_SHARE: Final = 0.05
COMMON_COUNT: Final = 4

#: no fingerprint is looked at for more submissions: it bounds the work for a large class
COMMON_MOST: Final = 40

#: characters of a cell that are read
LONGEST: Final = 50_000

#: a pair is named if so many fingerprints are shared, and such a share of the smaller one's
SHARED: Final = 12
CONTAINMENT: Final = 0.6

_KEPT = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Prints:
    """The fingerprints of one text.

    Attributes
    ----------
    hashes
        In the order of the text.
    lines
        For each of them the first and the last line (from 1) of its run.
    """

    hashes: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pair:
    """Two submissions that are alike.

    Attributes
    ----------
    first, second
        Their names, in order.
    shared
        How many fingerprints both have, without those that prove nothing.
    containment
        That number, divided by the number of the one that has fewer.
    jaccard
        That number, divided by the number of those that either has.
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
    """What is left of a program when easily changed things are made equal, with line numbers.

    A text that is not Python gives the tokens before the first error, and the rest of it split at
    blanks.

    Examples
    --------
    >>> [word for word, _ in tokens("def f(x):\\n    return math.log(x)  # why")]
    ['def', 'V', '(', 'V', ')', ':', 'return', 'V', '.', 'log', '(', 'V', ')']
    """
    found: list[tuple[str, int]] = []
    source = source[:LONGEST]
    begins = alone = True  # whether a statement begins here; whether it is one string so far
    before, last = "", 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind, text = token.type, token.string
            if kind in (tokenize.COMMENT, tokenize.NL):
                continue
            if kind in _LAYOUT:
                if kind == tokenize.NEWLINE and alone and not begins:
                    found.pop()  # a docstring
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
    """The fingerprints of a text; none if it has fewer than `K` tokens.

    Examples
    --------
    >>> one = prints("def mean(values):\\n    return sum(values) / max(1, len(values))")
    >>> one.hashes == prints("def m(x): # the mean\\n  return sum(x)/max(1,len(x))").hashes
    True
    """
    words = tokens(source)
    if len(words) < K:
        return Prints((), ())
    each = np.array([zlib.crc32(word.encode("utf-8", "replace")) for word, _ in words], np.uint64)
    runs = _runs(each)
    window = min(WINDOW, len(runs))
    # the rightmost of the smallest ones, which the next windows keep longest
    backwards = np.lib.stride_tricks.sliding_window_view(runs, window)[:, ::-1]
    kept = np.unique(np.arange(window - 1, len(runs)) - np.argmin(backwards, axis=1)).tolist()
    hashes = tuple(int(runs[place]) for place in kept)
    return Prints(hashes, tuple((words[i][1], words[i + K - 1][1]) for i in kept))


def _runs(each: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A hash of every run of `K` tokens: a polynomial in their hashes, modulo 2^64, and mixed."""
    base = 0x9E3779B97F4A7C15
    total = np.zeros(len(each) - K + 1, np.uint64)
    for i in range(K):
        total = total * np.uint64(base) + each[i : len(each) - K + 1 + i]
    total ^= total >> np.uint64(31)
    total = total * np.uint64(0xBF58476D1CE4E5B9)
    total ^= total >> np.uint64(29)
    return total


def _set(texts: Iterable[str]) -> frozenset[int]:
    return frozenset(x for text in texts for x in prints(text).hashes)


def similar(submissions: Mapping[str, Mapping[str, str]], known: Iterable[str] = ()) -> list[Pair]:
    """The pairs that are suspiciously alike, the most alike first.

    Parameters
    ----------
    submissions
        The source of each solution cell by name, by the submission's name.
    known
        Texts that everybody has: the released notebook's cells, the instructor's solution.

    Returns
    -------
    list of Pair
        Submissions that cannot be told apart at all are pairs as well; but not those that hold
        nothing beyond what is known or common.

    Examples
    --------
    >>> one = "def f(a, b):\\n" + "".join(f"    a = a * {i} + b\\n" for i in range(30))
    >>> two = one.replace("a", "x").replace("    ", "  ")
    >>> (pair,) = similar({"eve": {"f": two}, "ada": {"f": one}})
    >>> pair.first, pair.second, pair.containment
    ('ada', 'eve', 1.0)
    """
    nothing = _set(known)
    whole = {name: _set(cells.values()) - nothing for name, cells in sorted(submissions.items())}
    # copies of one another count once in the question what everybody writes
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
    """The lines (from 1) of a text that runs with these fingerprints stand on.

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
