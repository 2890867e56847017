"""Parameters of an assignment: numbers and short texts that differ from student to student.

One cell of kind ``parameters`` declares the parameters; its last statement is ``Parameters(...)``.
The cell may use ``np`` and ``math``, but no names from other cells.
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.core.versions import Value
from dpteach.grading.kinds import require

_, _n = catalog("author")

#: the largest number of characters of a parameter that is a text
MOST_CHARACTERS: Final = 200
# matches an allowed text; characters that could end a Python string or a placeholder are not
# allowed
_TEXT = re.compile(r"[^\"'\\`{}\x00-\x1f\x7f]*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The parameters of an assignment.

    Parameters
    ----------
    without_seed
        The values, by name, in a course without personal versions. The right and wrong answers
        that test the checks are written for these values. They are finite numbers, or texts of at
        most 200 characters in one line, without quotes, backslashes and braces.
    draw
        A function that takes a ``numpy.random.Generator`` and returns one student's values, with
        the same names and types. A value that is computed from other parameters must be included,
        too, if the assignment uses it.

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
            raise ValueError(_("without_seed must have at least one parameter, got {}"))

    def drawn(self, rng: np.random.Generator) -> dict[str, Value]:
        """Draw the values of one student, in the order of `without_seed`.

        Raises
        ------
        TypeError, ValueError
            If `draw` fails, or returns values with other names or types than `without_seed`.
        """
        try:
            made = self.draw(rng)
        except Exception as error:
            raise ValueError(
                _(
                    "draw must return values, but it raised {error}",
                    error=f"{type(error).__name__}: {error}",
                )
            ) from error
        found = _values("draw", made)
        if set(found) != set(self.without_seed):
            raise ValueError(
                _(
                    "draw must return the parameters of without_seed, {names}, got {found}",
                    names=", ".join(self.without_seed),
                    found=", ".join(found),
                )
            )
        for name, value in self.without_seed.items():
            if isinstance(value, str) != isinstance(found[name], str):
                raise ValueError(
                    _(
                        "draw: {name} must be a text if it is one in without_seed, and a number if "
                        "it is one there, got {name}={value!r}",
                        name=name,
                        value=found[name],
                    )
                )
        return {name: found[name] for name in self.without_seed}


def _values(where: str, declared: object) -> dict[str, Value]:
    """Check the values of an assignment's parameters; return them as Python numbers and texts.

    Parameters
    ----------
    where
        The argument of `Parameters` that errors are about: ``"without_seed"`` or ``"draw"``.
    """
    if not isinstance(declared, Mapping):
        raise TypeError(
            _(
                "{where} must be a dict of values by name, got {value}",
                where=where,
                value=shown(declared),
            )
        )
    found: dict[str, Value] = {}
    for name, value in declared.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(
                _(
                    "{where} must have names of the form lower_case_2, got {name}",
                    where=where,
                    name=shown(name),
                )
            )
        if name in ("points", "minutes") or keyword.iskeyword(name) or hasattr(builtins, name):
            raise ValueError(
                _(
                    "{where} must not use {name!r} as a name, because it has another meaning in a "
                    "text source or in Python",
                    where=where,
                    name=name,
                )
            )
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str):
            good = len(value) <= MOST_CHARACTERS and bool(_TEXT.fullmatch(value))
        else:
            good = type(value) in (int, float) and math.isfinite(value)
        if not good:
            raise ValueError(
                _(
                    "{where}: {name} must be a finite number, or a text of at most {most} "
                    "characters in one line without quotes, \\ and braces, got {name}={value}",
                    where=where,
                    name=name,
                    most=MOST_CHARACTERS,
                    value=shown(value),
                )
            )
        found[name] = value
    return found


#: the names that the code of a cell of kind ``parameters`` may use
NAMES: Final[Mapping[str, Any]] = {
    "Parameters": Parameters,
    "np": np,
    "math": math,
    "__name__": "parameters",
}
