"""Numbers in the form that people read, such as 10⁻⁵ for 1e-05."""

from __future__ import annotations

import math
import re

#: the environment variable with the folder into which interactive figures write their pictures
#: during a build of the book; if it is not set, a running kernel draws the pictures
FRAMES_VARIABLE = "DPTEACH_EXPLORER_DIR"

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: matches a matplotlib formula, which is left unchanged, or a number with its sign as Python prints
#: it, unless a word or another number ends directly before it
_NUMBER = re.compile(
    r"\$[^$]*\$|(?<![\w.)\]}])(?P<sign>-?)(?P<digits>[\d,]*\.?\d+)(?P<ten>e[+-]?\d+)?(?![\w])"
)
_DIFFERENCE = re.compile(r"(?<=[\w)]) - (?=\d)")


def ten_to(exponent: int) -> str:
    """Return 10 to an integer power as text, with a superscript.

    Examples
    --------
    >>> ten_to(-5)
    '10⁻⁵'
    """
    return "10" + str(exponent).translate(_RAISED)


def number(value: float, digits: int = 6) -> str:
    """Return a number as text with a given number of significant digits.

    Examples
    --------
    >>> [number(x) for x in (0.25, -3.0, 1e-5, -2.5e-7, 3e8, math.inf)]
    ['0.25', '−3', '10⁻⁵', '−2.5 · 10⁻⁷', '3 · 10⁸', '∞']
    >>> number(57612.0, 3), number(-1e-9 + 1e-9)
    ('57,600', '0')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    sign, (figures, ten) = "−" if value < 0 else "", f"{abs(value):.{digits - 1}e}".split("e")
    figures = figures.rstrip("0").rstrip(".") if "." in figures else figures
    if figures == "0":
        return "0"
    if -5 < int(ten) < 6:
        whole, point, rest = f"{float(figures + 'e' + ten):.15g}".partition(".")
        return sign + (f"{int(whole):,}" if len(whole) > 4 else whole) + point + rest
    return sign + ("" if figures == "1" else f"{figures} · ") + ten_to(int(ten))


def readable(text: str) -> str:
    """Return a text with its numbers in the form that people read, such as 10⁻⁵; keep formulas.

    Examples
    --------
    >>> readable("from -0.5 to 2.5e-07 in 10-day steps, and $10^{-5}$; never -0.0")
    'from −0.5 to 2.5 · 10⁻⁷ in 10-day steps, and $10^{-5}$; never 0.0'
    """

    def written(found: re.Match[str]) -> str:
        if found["digits"] is None:
            return found[0]
        if found["ten"]:
            return number(float(found[0].replace(",", "")))
        minus = "−" if found["sign"] and re.search("[1-9]", found["digits"]) else ""
        return minus + found["digits"]

    return _DIFFERENCE.sub(" − ", _NUMBER.sub(written, text))
