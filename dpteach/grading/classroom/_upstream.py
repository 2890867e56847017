"""The undocumented functions of nbgrader that the grader calls, overrides or replaces.

`NAMES` lists these functions with their parameters in the version of nbgrader for which dpteach was
made (`READ`). `check` compares the list with the installed nbgrader, so that another version of
nbgrader causes an error message instead of wrong grades. The comments in the list name the modules
of the grader that use each function.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import operator
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog

_, _n = catalog("classroom")

#: the version of nbgrader from which the names and parameters below were read
READ: Final = "0.9.6"

#: the parameters of each function of nbgrader that the grader uses, by the function's module and
#: name
NAMES: Final = {
    # replaced by `doors.guard`
    "converters.base:BaseConverter.init_assignment": "self assignment_id student_id",
    "coursedir:CourseDirectory.get_existing_timestamp": "self dest_path",
    "apps.api:NbGraderAPI.get_submitted_timestamp": "self assignment_id student_id",
    "apps.api:NbGraderAPI.get_submitted_students": "self assignment_id",
    "api:Gradebook.add_student": "self student_id kwargs",
    "api:Gradebook.add_assignment": "self name kwargs",
    "server_extensions.formgrader.base:BaseHandler.render": "self name ns",
    "utils:parse_utc": "ts",
    "coursedir:parse_utc": "ts",
    "apps.api:parse_utc": "ts",
    "apps.zipcollectapp:parse_utc": "ts",
    "exchange.default.collect:parse_utc": "ts",
    # called by `places` in this module
    "converters.base:BaseConverter._format_source": "self assignment_id student_id escape",
    "converters.base:BaseConverter._format_dest": "self assignment_id student_id escape",
    # overridden by `doors.PlainCollect` and `doors.PlainCollector`
    "exchange.default:ExchangeCollect.init_src": "self",
    "exchange.default:ExchangeCollect._path_to_record": "self path",
    "exchange.default:Exchange.do_copy": "self src dest log",
    "plugins:FileNameCollectorPlugin.collect": "self submitted_file",
    # called by `course.late`
    "preprocessors:AssignLatePenalties.init_plugin": "self",
    "preprocessors:AssignLatePenalties._check_late_penalty": "self notebook penalty",
    # overridden by `author.releasing` and `student.fetching`
    "exchange.default:ExchangeReleaseAssignment.copy_files": "self",
    "exchange.default:ExchangeFetchAssignment.copy_files": "self",
}


class UpstreamError(RuntimeError):
    """Error for an installed nbgrader that lacks or has changed a function that dpteach needs."""


def check() -> None:
    """Raise an error if the installed nbgrader lacks a function of `NAMES` or has changed it.

    Raises
    ------
    UpstreamError
        If a function is missing or has changed; the message names the first of them.
    """
    for name, parameters in NAMES.items():
        try:
            owner, attribute = _place(name)
            found = " ".join(inspect.signature(getattr(owner, attribute)).parameters)
        except (ImportError, AttributeError, TypeError):
            found = ""
        if found != parameters:
            raise UpstreamError(
                _(
                    "nbgrader {installed} has another {function} than nbgrader {known}, for which "
                    "dpteach was made: pip install nbgrader=={known}",
                    installed=version("nbgrader"),
                    function=name.replace(":", "."),
                    known=READ,
                )
            )


def _place(name: str) -> tuple[Any, str]:
    """Return the class or module that holds a function of `NAMES`, and the function's own name."""
    module, path = name.split(":")
    owner, _dot, attribute = path.rpartition(".")
    found = importlib.import_module(f"nbgrader.{module}")
    return (operator.attrgetter(owner)(found) if owner else found), attribute


def replace(name: str, by: Callable[..., Any]) -> None:
    """Replace a function of nbgrader in this process, unless it is already replaced.

    Parameters
    ----------
    name
        One of `NAMES`.
    by
        The replacement, which is called with the original function and its arguments.
    """
    owner, attribute = _place(name)
    original = getattr(owner, attribute)
    if getattr(original, "guarded", False):
        return

    @functools.wraps(original)
    def guarded(*told: Any, **named: Any) -> Any:
        return by(original, *told, **named)

    guarded.guarded = True  # type: ignore[attr-defined]
    setattr(owner, attribute, guarded)


def places(converter: Any, assignment: str, student: str) -> tuple[Path, Path]:
    """Return the folders from which a converter of nbgrader reads and into which it writes."""
    source, target = converter._format_source, converter._format_dest
    return Path(source(assignment, student)), Path(target(assignment, student))


def coursedir_of(preprocessor: Any) -> Any:
    """Return the ``CourseDirectory`` of the nbgrader converter that runs this preprocessor."""
    return preprocessor.parent.parent.coursedir
