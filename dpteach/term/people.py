"""The students of a term, with their names and their identifiers in each LMS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.course.gradebook import called, full_name

_, _n = catalog("term")

#: the fields of `Person` that are texts, that is, all except `keys`
FIELDS: Final = ("id", "first", "last", "email", "section")


@dataclass(frozen=True)
class Person:
    """A student of a term.

    Attributes
    ----------
    id
        The student's id, which is the name of folders and of the entry in nbgrader's gradebook.
        It never changes, even if a later roster has another login.
    first, last, email, section
        The names, the e-mail address and the section; "" where unknown.
    keys
        The identifiers that learning management systems give the student, by field, such as
        ``canvas_id``, ``sis_user_id``, ``moodle_idnumber`` or ``blackboard_username``.
    """

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The full name, such as Anna Berg, or the id if no name is known."""
        return full_name(self.first, self.last) or self.id

    @property
    def called(self) -> str:
        """The id, followed by the full name in parentheses if a name is known."""
        return called(self.id, full_name(self.first, self.last))


def person_data(person: Person) -> dict[str, Any]:
    """Return a person as JSON data from which `read_person` makes an equal person.

    Examples
    --------
    >>> person_data(Person("anna", "Anna", "Berg", keys={"canvas_id": "7"}))["keys"]
    {'canvas_id': '7'}
    """
    return asdict(person)


def read_person(data: Mapping[str, Any]) -> Person:
    """Return the person that JSON data describe.

    Parameters
    ----------
    data
        The result of `person_data`; all keys except ``id`` may be missing.

    Raises
    ------
    ValueError
        If a field has another type, or the id is no student id.

    Examples
    --------
    >>> read_person({"id": "anna", "first": "Anna", "last": "Berg"}).name
    'Anna Berg'
    """
    fields = {name: data.get(name, "") for name in FIELDS}
    keys = dict(data.get("keys", {}))
    wrong = [one for one in (*fields.values(), *keys.values()) if not isinstance(one, str)]
    if wrong:
        raise ValueError(_("a person must have texts, got {value}", value=repr(wrong[0])[:60]))
    student_id(fields["id"])
    return Person(**fields, keys=keys)
