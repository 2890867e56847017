"""Personal versions of an assignment, in which students get different numbers and texts.

In a text, ``{{people}}`` stands for the value of the parameter ``people``, and ``{{people:,}}`` for
that value in Python's format ``,``. A released assignment holds the versions of all students in
``versions.json``, beside the notebook. A student finds their own entry there by a secret token.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dpteach._language import catalog

_, _n = catalog("core")

#: the file with all personal versions of a released assignment
VERSIONS: Final = "versions.json"

#: the file with a student's secret token, in the folder of an assignment or in a folder above it
TOKEN: Final = "versions_token.txt"

#: the folder of tokens in a course's exchange; it has a file for each student, which only this
#: student can read
TOKENS: Final = "versions"

#: the key in a notebook's metadata under which the name of its personal version is stored
MARK: Final = "version"

#: the type of a parameter's value, which differs between the personal versions of an assignment
Value = int | float | str

#: placeholders that the build of an assignment replaces by the same text in every version
BUILT: Final = ("{{points}}", "{{minutes}}")

_PLACE = re.compile(r"\{\{([a-z][a-z0-9_]*)(?::([^{}\n]{1,10}))?\}\}")


def places(text: str) -> Iterator[re.Match[str]]:
    """Yield a match for each placeholder of a parameter; the first group is the parameter's name.

    >>> [at[1] for at in places("{{people:,}} people, {{points}} points")]
    ['people']
    """
    return (at for at in _PLACE.finditer(text) if at[0] not in BUILT)


def with_values(text: str, values: Mapping[str, Value]) -> str:
    """Replace placeholders in a text by the values of parameters; keep placeholders of other names.

    Raises
    ------
    ValueError
        If a value cannot be written in the format of its placeholder.

    Examples
    --------
    >>> with_values("{{people:,}} people, {{points}} points", {"people": 1500})
    '1,500 people, {{points}} points'
    """

    def value(at: re.Match[str]) -> str:
        if at[1] not in values:
            return at[0]
        try:
            return format(values[at[1]], at[2] or "")
        except ValueError as error:
            raise ValueError(
                _(
                    "{placeholder}: the value cannot be written in this format: {error}, "
                    "got {name}={value!r}",
                    placeholder=at[0],
                    error=error,
                    name=at[1],
                    value=values[at[1]],
                )
            ) from None

    return _PLACE.sub(value, text)


def used(texts: Iterable[str]) -> set[str]:
    """Return the names of all parameters whose placeholders occur in some texts."""
    return {at[1] for text in texts for at in places(text)}


@dataclass(frozen=True)
class Version:
    """A student's personal version of an assignment.

    Attributes
    ----------
    name
        Twelve hexadecimal digits that identify the version.
    values
        The values of the parameters, by name. Students can read ``versions.json``, so it has only
        the parameters that the notebook shows: the others may be part of an answer.
    """

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self) -> str:
        """Return the names and values of the parameters, as one line.

        >>> Version("3f2a", {"people": 1340, "wing": "east"}).text()
        'people = 1340, wing = east'
        """
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())

    def brief(self) -> str:
        """Return the names and values of the parameters that are numbers, as one line.

        >>> Version("3f2a", {"people": 1340, "wing": "east"}).brief()
        'people = 1340'
        """
        numbers = {n: value for n, value in self.values.items() if not isinstance(value, str)}
        return Version(self.name, numbers).text() or _("no numbers")


def entry(assignment: str, token: str) -> str:
    """Return the key in ``versions.json`` of the version that belongs to a student's token.

    A token has 128 random bits, so the owner of an entry cannot be found by trying all tokens.

    >>> entry("zcdp", "5e1f") == entry("zcdp", "5e1f"), entry("zcdp", "5e1f") == entry("zcdp", "0")
    (True, False)
    """
    return hashlib.sha256(f"{assignment} {token}".encode()).hexdigest()[:24]
