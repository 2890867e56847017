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

from dpteach.grading.core.plain import shown
from dpteach.grading.course.folder import SETTINGS, CourseError, settings_of
from dpteach.grading.course.versions import personal

_WORDS: Final = {
    "file": """## Handing in

Save this notebook. Then, in a terminal (*File*, *New*, *Terminal*) and in its folder,

```
dpteach hand-in {name}.ipynb
```

looks whether it is this assignment with all its cells, says what is not answered yet, and writes
the one file that you hand in: `hand_in/{name}.ipynb`. It also shows a fingerprint of your
answers, by which it can be seen later that they came through as you left them: keep it.""",
    "exchange": """## Handing in

Save this notebook. Then choose *Submit* beside `{name}` in the *Assignment List* (menu
*Nbgrader*): it sends the folder `{name}` in which you have worked, with this notebook. You may do
so again; what you sent last counts.""",
}

_OWN_NUMBERS: Final = """## Your own numbers

Some of the numbers in this notebook are yours alone: others have other ones. It is graded with the
numbers that you were given, whatever stands in it.

"""


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
    if by not in _WORDS:
        raise CourseError(
            f"c.HandIn.by in {SETTINGS} must be 'file' or 'exchange', got c.HandIn.by={shown(by)}"
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
    own = _OWN_NUMBERS if parameters and personal(settings, assignment) else ""
    return own + _WORDS[way(settings)].format(name=assignment)
