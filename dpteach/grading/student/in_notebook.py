"""The function `hand_in`, which the last cell of a student's notebook calls.

The function makes the same file as ``dpteach hand-in``. It works on the student's own computer, on
a server, and in Google Colab, where the kernel has no file of the notebook. It does nothing while
the notebook is validated or graded.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Final

from dpteach._language import catalog, speaking
from dpteach.grading.core.names import assignment_name
from dpteach.grading.core.receipt import nested
from dpteach.grading.student.files import StudentError, notebook_data, released_language
from dpteach.grading.student.hand_in import hand_in as made_from

_, _n = catalog("student")

#: if the notebook was saved at most this number of seconds ago, the student is not reminded to
#: save it
_JUST_SAVED: Final = 15


def hand_in(assignment: str) -> None:
    """Make the file to submit from the notebook that calls this function, and print its path.

    Parameters
    ----------
    assignment
        The assignment's name, as in ``hand_in("renyi_dp")``.

    Raises
    ------
    ValueError
        If `assignment` does not have the form of an assignment's name.
    """
    name = assignment_name(assignment)
    # nbgrader's Validate and `dpteach validate` set this variable
    if os.environ.get("NBGRADER_VALIDATING"):
        return
    with speaking(released_language(Path())):
        print(_handed_in(Path(f"{name}.ipynb")))


def _handed_in(notebook: Path) -> str:
    """Make the file to submit from a notebook, and return the message for the student."""
    if "google.colab" in sys.modules:
        return _from_colab(notebook)
    if _is_instructors(notebook):
        return _("This notebook has the solutions, so there is nothing to submit.")
    try:
        found = made_from(notebook)
    except StudentError as error:
        return _("There is no file to submit yet: {why}", why=error)
    if time.time() - notebook.stat().st_mtime < _JUST_SAVED:
        return found.text()
    unsaved = _(
        "If you have changed anything since the time above, the file does not have it: save the "
        "notebook (Ctrl+S, or Cmd+S on a Mac), and run this cell again."
    )
    return f"{found.text()}\n{unsaved}"


def _from_colab(notebook: Path) -> str:
    """Make and download the file to submit from the notebook that is open in Google Colab.

    Colab has no documented function for this, so after any error the returned message asks the
    student to download the notebook by hand.
    """
    try:
        request = importlib.import_module("google.colab._message").blocking_request
        opened = request("get_ipynb", request="", timeout_sec=60)["ipynb"]
        notebook.write_text(json.dumps(opened), encoding="utf-8")
        found = made_from(notebook)
        importlib.import_module("google.colab.files").download(str(found.path))
    except Exception as error:
        return _(
            "This cell could not make the file to submit: {why}. Choose File, Download, Download "
            ".ipynb in the menu, and submit the downloaded file.",
            why=str(error).rstrip(".") or type(error).__name__,
        )
    return found.text()


def _is_instructors(notebook: Path) -> bool:
    """Return whether a notebook is the instructor's, that is, its cells have no checksums.

    No file to submit is made from an instructor's notebook, because the file would be released to
    the students with the rest of the folder.
    """
    try:
        cells = notebook_data(notebook)["cells"]
        about = [told for cell in cells if (told := nested(cell, "metadata", "nbgrader"))]
    except (StudentError, KeyError, TypeError):
        return False
    return bool(about) and not any("checksum" in told for told in about)
