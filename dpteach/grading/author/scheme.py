"""The marking scheme of a question that a person grades: yes-or-no criteria with points.

The scheme stands between ``### BEGIN SCHEME`` and ``### END SCHEME`` in a cell of kind ``manual``.
Each criterion begins a line, and may continue in indented lines::

    - 1: The sum over pairs is written as a product.
    - 2: The inner sum is bounded for *each* x,
      before the outer one is taken.
    - or 1: It is bounded on the average.

An alternative, which begins with ``or``, earns a part of the points if the criterion above it is
not met. Students read the scheme below the question, graders read it in Formgrader, and both see it
on the feedback page.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dpteach._language import catalog
from dpteach.grading.author.source import Cell

_, _n = catalog("author")

_LINE = re.compile(r"- (or )?(\d+(?:\.\d+)?): (\S.*)")


def scheme_of(cell: Cell) -> tuple[tuple[float, str], ...]:
    """Return points and text of each criterion in a cell's marking scheme; () if there is none.

    The text of an alternative (``- or points: text``) is appended to the criterion above it.

    Raises
    ------
    dpteach.grading.author.source.SourceError
        If a line is not of the form ``- points: text`` or ``- or points: text``, if a criterion is
        worth nothing or is repeated, if an alternative is not worth less than the line above it,
        or if the points do not add up to those of the cell.
    """
    if not cell.holds("SCHEME"):
        return ()
    # remove the comment sign, because in a code cell the lines of the scheme are comments
    text = re.sub(r"(?m)^[ \t]*# ?", "", cell.region("SCHEME")[0])
    lines: list[tuple[float, str]] = []
    above = 0.0
    for line in re.sub(r"\n[ \t]+(?=\S)", " ", text).split("\n"):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.rstrip())
        if match is None or not float(match[2]):
            raise cell.error(
                _("a line of a scheme must have the form '- points: text', got {line!r}", line=line)
            )
        instead, points, words = match[1], float(match[2]), match[3]
        if instead and points >= above:
            raise cell.error(
                _(
                    "a line with 'or' must be worth less than the line above it, got {line!r}",
                    line=line,
                )
            )
        above = points
        if instead:
            whole, before = lines.pop()
            lines.append((whole, _or(points, before, words)))
        elif words in {text for _points, text in lines}:
            raise cell.error(_("the scheme has the line {words!r} twice", words=words))
        else:
            lines.append((points, words))
    total = sum(Fraction(str(points)) for points, _text in lines)
    if total != Fraction(str(cell.points)):
        raise cell.error(
            _(
                "the lines of the scheme must be worth the points of the cell, {points:g}, "
                "got {total:g} in all",
                points=cell.points,
                total=float(total),
            )
        )
    return tuple(lines)


def _or(points: float, criterion: str, words: str) -> str:
    return _n(
        "{criterion} Or {count:g} point: {words}",
        "{criterion} Or {count:g} points: {words}",
        points,
        criterion=criterion,
        words=words,
    )


def read_lines(scheme: str) -> tuple[tuple[tuple[float, str], ...], ...]:
    """Return a scheme's criteria, each followed by its alternatives, as points and texts.

    The result is empty if a line of the scheme cannot be read, for example because it is in
    another language.

    Parameters
    ----------
    scheme
        A marking scheme as the text that `as_lines` returns, in the language of this process.

    Examples
    --------
    >>> read_lines("1 point: The sum is a product. Or 0.5 points: It is a sum.\\n2 points: Why.")
    (((1.0, 'The sum is a product.'), (0.5, 'It is a sum.')), ((2.0, 'Why.'),))
    """
    found = []
    for line in scheme.split("\n") if scheme else ():
        numbers = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", line)}
        heads = {as_lines(((points, ""),)): points for points in numbers}
        instead = {_or(points, "", ""): points for points in numbers}
        head = next((start for start in heads if line.startswith(start)), None)
        if head is None:
            return ()
        told = re.split(f"({'|'.join(map(re.escape, instead))})", line.removeprefix(head))
        points = [heads[head], *(instead[start] for start in told[1::2])]
        found.append(tuple(zip(points, told[::2], strict=True)))
    return tuple(found)


def as_lines(lines: tuple[tuple[float, str], ...]) -> str:
    """Return a scheme as text, with a line for each criterion.

    Examples
    --------
    >>> as_lines(((1.0, "The sum is a product."), (0.5, "It is said why.")))
    '1 point: The sum is a product.\\n0.5 points: It is said why.'
    """
    return "\n".join(
        _n("{count:g} point: {criterion}", "{count:g} points: {criterion}", points, criterion=text)
        for points, text in lines
    )


def as_markdown(lines: tuple[tuple[float, str], ...]) -> str:
    """Return a scheme as Markdown for the question's cell; "" if the scheme is empty."""
    if not lines:
        return ""
    listed = "\n".join(f"- {line}" for line in as_lines(lines).split("\n"))
    heading = _("**How it is marked.** Each line is answered yes or no:")
    return f"{heading}\n\n{listed}"
