"""The marking scheme of what a person marks: lines that are answered yes or no, with points each.

It stands between ``### BEGIN SCHEME`` and ``### END SCHEME`` of a cell of kind ``manual``, one line
each; a longer one goes on in lines that are indented::

    - 1: The sum over pairs is written as a product.
    - 2: The inner sum is bounded for *each* x,
      before the outer one is taken.
    - or 1: It is bounded on the average.

An ``or`` says what earns a part of the points of the line above it, for which the answer is no.
The student reads it below the question, who marks in Formgrader, and both on the feedback page.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dpteach.grading.author.source import Cell

_LINE = re.compile(r"- (or )?(\d+(?:\.\d+)?): (\S.*)")


def scheme_of(cell: Cell) -> tuple[tuple[float, str], ...]:
    """The lines of a cell's scheme, with their points; none if it has no scheme.

    What stands there with ``or`` is the end of the line above it.

    Raises
    ------
    dpteach.grading.author.source.SourceError
        If a line is not of the form ``- points: text`` or ``- or points: text``, is worth nothing
        or stands there twice, if an ``or`` is not worth less than what it stands below, or if the
        points are not those of the cell.
    """
    if not cell.holds("SCHEME"):
        return ()
    # in a cell of code the lines are comments
    text = re.sub(r"(?m)^[ \t]*# ?", "", cell.region("SCHEME")[0])
    lines: list[tuple[float, str]] = []
    less = 0.0
    for line in re.sub(r"\n[ \t]+(?=\S)", " ", text).split("\n"):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.rstrip())
        if match is None or not float(match[2]):
            raise cell.error(
                f"a line of a scheme must be of the form '- points: text', got {line!r}"
            )
        instead, points, words = match[1], float(match[2]), match[3]
        if instead and points >= less:
            raise cell.error(f"an 'or' must be worth less than the line above it, got {line!r}")
        less = points
        if instead:
            whole, before = lines.pop()
            lines.append((whole, f"{before} Or {_points(points)}: {words}"))
        elif words in {one for _, one in lines}:
            raise cell.error(f"this line of the scheme is there twice: {words!r}")
        else:
            lines.append((points, words))
    total = sum(Fraction(str(points)) for points, _ in lines)
    if total != Fraction(str(cell.points)):
        raise cell.error(
            f"the lines of the scheme are worth {float(total):g}, the cell {cell.points:g}"
        )
    return tuple(lines)


def as_lines(lines: tuple[tuple[float, str], ...]) -> str:
    """A scheme as text, a line each.

    Examples
    --------
    >>> as_lines(((1.0, "The sum is a product."), (0.5, "It is said why.")))
    '1 point: The sum is a product.\\n0.5 points: It is said why.'
    """
    return "\n".join(f"{_points(points)}: {text}" for points, text in lines)


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"


def as_markdown(lines: tuple[tuple[float, str], ...]) -> str:
    """A scheme as it stands below a question; "" if there is none."""
    if not lines:
        return ""
    listed = "\n".join(f"- {line}" for line in as_lines(lines).split("\n"))
    return f"**How it is marked.** Each line is answered yes or no:\n\n{listed}"
