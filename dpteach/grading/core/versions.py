"""Personal versions: the parameters in an assignment's texts, and what a version is known by.

In a text ``{{people}}`` stands for the value of the parameter ``people``, ``{{people:,}}`` for the
value in Python's format ``,``. What a release carries of its students' versions lies beside the
notebook, in ``versions.json``. Each student's token, which only that student gets, finds theirs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dpteach._language import catalog

_, _n = catalog("core")

#: the file with the versions of a release
VERSIONS: Final = "versions.json"

#: the file with a student's token, in the folder of an assignment or in one above it
TOKEN: Final = "versions_token.txt"

#: the folder of tokens in a course's exchange: a file for each student, which is theirs to read
TOKENS: Final = "versions"

#: under this name a notebook's metadata say which version it is
MARK: Final = "version"

#: what a parameter may be
Value = int | float | str

#: places that the build fills, in every version alike
BUILT: Final = ("{{points}}", "{{minutes}}")

_PLACE = re.compile(r"\{\{([a-z][a-z0-9_]*)(?::([^{}\n]{1,10}))?\}\}")


def places(text: str) -> Iterator[re.Match[str]]:
    """The parameters in a text, as matches whose first group is the name.

    >>> [at[1] for at in places("{{people:,}} people, {{points}} points")]
    ['people']
    """
    return (at for at in _PLACE.finditer(text) if at[0] not in BUILT)


def with_values(text: str, values: Mapping[str, Value]) -> str:
    """A text with the parameters' values in their places; other names stay as they are.

    Raises
    ------
    ValueError
        If a value has no such format.

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
            raise ValueError(f"{at[0]}: {error}, got {at[1]}={values[at[1]]!r}") from None

    return _PLACE.sub(value, text)


def used(texts: Iterable[str]) -> set[str]:
    """The parameters that stand in some texts."""
    return {at[1] for text in texts for at in places(text)}


@dataclass(frozen=True)
class Version:
    """A student's version of an assignment.

    Attributes
    ----------
    name
        By what it is known: twelve hexadecimal digits.
    values
        The parameters, by name. What a student is told of has those only that stand in the
        release: others may belong to the answers.
    """

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self) -> str:
        """The parameters in words.

        >>> Version("3f2a", {"people": 1340, "wing": "east"}).text()
        'people = 1340, wing = east'
        """
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())

    def brief(self) -> str:
        """The numbers among them.

        >>> Version("3f2a", {"people": 1340, "wing": "east"}).brief()
        'people = 1340'
        """
        numbers = {n: value for n, value in self.values.items() if not isinstance(value, str)}
        return Version(self.name, numbers).text() or _("no numbers")


def entry(assignment: str, token: str) -> str:
    """Return the name under which the version of a token's student lies in ``versions.json``.

    A token has 128 bits, so trying them all does not tell whose an entry is.

    >>> entry("zcdp", "5e1f") == entry("zcdp", "5e1f"), entry("zcdp", "5e1f") == entry("zcdp", "0")
    (True, False)
    """
    return hashlib.sha256(f"{assignment} {token}".encode()).hexdigest()[:24]
