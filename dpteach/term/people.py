"""The people of a term: who they are, and what each learning management system calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.course.gradebook import called, full_name

_, _n = catalog("term")

#: the fields of a person that hold text
FIELDS: Final = ("id", "first", "last", "email", "section")


@dataclass(frozen=True)
class Person:
    """A student of a term.

    Attributes
    ----------
    id
        The student's id, which names the folders and the entry in nbgrader's gradebook. It never
        changes, whatever an LMS says later.
    first, last, email, section
        The names, the e-mail address and the section; "" where unknown.
    keys
        What each LMS calls the person, by the name of the field, such as ``canvas_id``,
        ``sis_user_id``, ``moodle_id`` or ``blackboard_username``.
    """

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The full name as people write it, or the id if there is none."""
        return full_name(self.first, self.last) or self.id

    @property
    def called(self) -> str:
        """The id, with the full name if there is one."""
        return called(self.id, full_name(self.first, self.last))


def person_data(person: Person) -> dict[str, Any]:
    """Return a person as JSON data, which `read_person` reads.

    Examples
    --------
    >>> person_data(Person("anna", "Anna", "Berg", keys={"canvas_id": "7"}))["keys"]
    {'canvas_id': '7'}
    """
    return asdict(person)


def read_person(data: Mapping[str, Any]) -> Person:
    """Return the person in JSON data.

    Parameters
    ----------
    data
        What `person_data` returned; only ``id`` must be there.

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
