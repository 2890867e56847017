"""The instructions for submitting, which stand at the end of each notebook.

``c.HandIn.by`` in ``nbgrader_config.py`` chooses the way:

- ``"file"``, the default: students submit the file that ``dpteach hand-in`` makes, in whatever way
  the course collects files;
- ``"exchange"``: students choose *Submit* in nbgrader's *Assignment List*, which sends the folder
  in which they work. Their JupyterLab must see the course's exchange.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.course.folder import SETTINGS, CourseError, settings_of
from dpteach.grading.course.versions import personal

_, _n = catalog("course")

_INSTRUCTIONS: Final = {
    "file": N_(
        """## Submitting

Save this notebook. Then open a terminal (*File*, *New*, *Terminal*), go to the folder of the
notebook, and run

```
dpteach hand-in {name}.ipynb
```

The command checks that the file is this assignment with all of its cells, lists what is not
answered yet, and writes the one file that you submit: `hand_in/{name}.ipynb`. It also shows a
fingerprint of your answers. Keep it: it can show later that your answers arrived unchanged."""
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


def way(settings: Any) -> str:
    """Return how the students of a course submit: ``"file"`` or ``"exchange"``.

    Parameters
    ----------
    settings
        The course's settings (`dpteach.grading.course.folder.course_settings`).

    Raises
    ------
    CourseError
        If the setting is neither.
    """
    by = settings.get("HandIn", {}).get("by", "file")
    if by not in _INSTRUCTIONS:
        raise CourseError(
            _(
                "c.HandIn.by in {file} must be 'file' or 'exchange', got c.HandIn.by={value}",
                file=SETTINGS,
                value=shown(by),
            )
        )
    return str(by)


def ending(course: Path, assignment: str, *, parameters: bool = False) -> str:
    """Return the text at the end of an assignment's notebook.

    Parameters
    ----------
    course
        The folder of the course; without a settings file in it the way is ``"file"``.
    parameters
        Whether the assignment has parameters; the text then says so in a course with personal
        versions.

    Raises
    ------
    CourseError
        If the settings cannot be used.
    """
    settings = settings_of(course)
    instructions = _INSTRUCTIONS[way(settings)]
    sections = [_(instructions, name=assignment)]
    if parameters and personal(settings, assignment):
        sections.insert(0, _(_OWN_NUMBERS))
    return "\n\n".join(sections)
