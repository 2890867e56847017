"""What differs from student to student in an assignment: numbers and short texts, declared once.

One cell of kind ``parameters`` declares them; its last statement is a `Parameters`. It may use
``np`` and ``math``, and nothing of other cells.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dpteach.grading.core.plain import shown
from dpteach.grading.core.versions import Value
from dpteach.grading.kinds import require

#: characters of a text, and which: none that ends a string of Python or a cell's markup
MOST_CHARACTERS: Final = 200
_TEXT = re.compile(r"[^\"'\\`{}\x00-\x1f\x7f]*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The parameters of an assignment.

    Parameters
    ----------
    without_seed
        The values, by name, where the course gives no personal versions: those of the version that
        the author reads and the bank answers. Finite numbers, and texts of at most 200 characters
        in one line, without quotes, backslashes and braces.
    draw
        A function of a ``numpy.random.Generator`` that returns values of the same names and kinds
        for one student. A value that follows from others is a parameter, too.

    Examples
    --------
    >>> draws = Parameters(
    ...     without_seed={"people": 1500},
    ...     draw=lambda rng: {"people": 10 * rng.integers(110, 240)},
    ... )
    >>> draws.drawn(np.random.default_rng(1))
    {'people': 1710}
    """

    without_seed: Mapping[str, Value]
    draw: Callable[[np.random.Generator], Mapping[str, Any]]

    def __post_init__(self) -> None:
        require.function("draw", self.draw)
        object.__setattr__(self, "without_seed", _values("without_seed", self.without_seed))
        if not self.without_seed:
            raise ValueError("without_seed must name at least one parameter, got {}")

    def drawn(self, rng: np.random.Generator) -> dict[str, Value]:
        """The values of one student, in the order of `without_seed`.

        Raises
        ------
        TypeError, ValueError
            If `draw` fails, or returns other names or kinds of values.
        """
        try:
            made = self.draw(rng)
        except Exception as error:
            raise ValueError(f"draw: {type(error).__name__}: {error}") from error
        found = _values("draw", made)
        if set(found) != set(self.without_seed):
            names = ", ".join(self.without_seed)
            raise ValueError(f"draw must return the parameters {names}, got {', '.join(found)}")
        for name, value in self.without_seed.items():
            if isinstance(value, str) != isinstance(found[name], str):
                kind = "a text" if isinstance(value, str) else "a number"
                raise ValueError(
                    f"draw: {name} must be {kind} as in without_seed, got {name}={found[name]!r}"
                )
        return {name: found[name] for name in self.without_seed}


def _values(where: str, told: object) -> dict[str, Value]:
    """The values as Python's own numbers and texts."""
    if not isinstance(told, Mapping):
        raise TypeError(f"{where} must be a dict of values by name, got {shown(told)}")
    found: dict[str, Value] = {}
    for name, value in told.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"{where} must have names of the form lower_case_2, got {shown(name)}")
        if name in ("points", "minutes") or keyword.iskeyword(name) or hasattr(builtins, name):
            raise ValueError(f"{where}: {name!r} means something else already: take another name")
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str):
            good = len(value) <= MOST_CHARACTERS and bool(_TEXT.fullmatch(value))
        else:
            good = type(value) in (int, float) and math.isfinite(value)
        if not good:
            raise ValueError(
                f"{where}: {name} must be a finite number, or a text of at most {MOST_CHARACTERS} "
                f"characters in one line without quotes, \\ and braces, got {name}={shown(value)}"
            )
        found[name] = value
    return found


def evaluated(text: str, filename: str) -> Parameters:
    """The parameters that the text of a cell declares.

    Parameters
    ----------
    text
        The cell's; its lines are those of the file.
    filename
        For tracebacks.

    Raises
    ------
    TypeError
        If its last statement is no `Parameters`.
    Exception
        Whatever the cell raises.
    """
    tree = ast.parse(text, filename)
    made = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        namespace: dict[str, Any] = {"Parameters": Parameters, "np": np, "math": math}
        namespace["__name__"] = "parameters"
        before = ast.Module(tree.body[:-1], [])
        exec(compile(before, filename, "exec"), namespace)
        last = ast.Expression(tree.body[-1].value)
        made = eval(compile(last, filename, "eval"), namespace)
    if not isinstance(made, Parameters):
        raise TypeError("the last statement of a cell of kind parameters must be Parameters(...)")
    return made
