"""The cells that the build adds to each notebook, for installing the course and for submitting.

``c.HandIn.by`` in ``nbgrader_config.py`` chooses the way to submit:

- ``"file"``, the default: students submit the file that the last cell of the notebook or
  ``dpteach hand-in`` makes, in whatever way the course collects files;
- ``"exchange"``: students choose *Submit* in nbgrader's *Assignment List*, which sends the folder
  in which they work. Their JupyterLab must see the course's exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpteach._language import N_, catalog
from dpteach.grading.course.folder import setting, settings_of
from dpteach.grading.course.installing import first_cell
from dpteach.grading.course.versions import personal

_, _n = catalog("course")

_INSTRUCTIONS: Final = {
    "file": N_(
        """## Submitting

Save this notebook (Ctrl+S, or Cmd+S on a Mac). Then run the cell below. It checks that the file is
this assignment with all of its cells, lists what is not answered yet, and writes the one file that
you submit: `hand_in/{name}.ipynb`. It also shows a fingerprint of your answers. Keep it: it can
show later that your answers arrived unchanged.

- On your own computer, the folder `hand_in` is beside this notebook.
- In JupyterLab on a server, open the folder `hand_in` in the file browser, right-click the file,
  and choose *Download*.
- In Google Colab, the cell downloads the file. If it cannot, it says what to do.
- In a terminal, `dpteach hand-in {name}.ipynb` does the same as the cell."""
    ),
    "exchange": N_(
        """## Submitting

Save this notebook. Then choose *Submit* beside `{name}` in the *Assignment List* (menu *Nbgrader*),
which sends the folder `{name}` with this notebook. You may submit again; only the last submission
counts."""
    ),
}

_OWN_NUMBERS: Final = N_(
    """## Your own numbers

Some of the numbers in this notebook are yours alone; other students have other numbers. Your
notebook is graded with the numbers that were assigned to you, even if you change them."""
)


#: the code of the last cell of each notebook
_LAST: Final = 'from dpteach.grading import hand_in\n\nhand_in("{name}")'


def is_last_cell(source: str) -> bool:
    """Return whether code is that of the last cell, which makes the file to submit.

    >>> is_last_cell(_LAST.format(name="renyi_dp"))
    True
    """
    begin, _name, end = _LAST.partition("{name}")
    return source.startswith(begin) and source.removeprefix(begin).removesuffix(end).isidentifier()


@dataclass(frozen=True)
class Frame:
    """The cells that the build adds around an assignment's own cells.

    Attributes
    ----------
    first
        The code of the cell below the title, which installs the course where it is missing.
    ending
        The text of the cell that explains how to submit.
    last
        The code of the last cell, which makes the file to submit; "" if the course needs no such
        file.
    """

    first: str = ""
    ending: str = ""
    last: str = ""


def frame(
    course: Path, assignment: str, files: Sequence[str], *, parameters: bool = False
) -> Frame:
    """Return the cells that the build adds to an assignment's notebook.

    Parameters
    ----------
    course
        The folder of the course. If it has no settings file, the way to submit is ``"file"``.
    files
        The names of the files beside the notebook.
    parameters
        Whether the assignment has parameters. If it does, and the course gives each student a
        personal version, a cell tells the student this.

    Raises
    ------
    CourseError
        If the settings cannot be used.
    """
    settings = settings_of(course)
    by = setting(settings, "HandIn.by")
    instructions = _INSTRUCTIONS[by]
    sections = [_(instructions, name=assignment)]
    if parameters and personal(settings, assignment):
        sections.insert(0, _(_OWN_NUMBERS))
    return Frame(
        first_cell(settings, assignment, files),
        "\n\n".join(sections),
        _LAST.format(name=assignment) if by == "file" else "",
    )
