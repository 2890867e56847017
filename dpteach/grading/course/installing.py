"""The cell below the title of each notebook, which installs the course where it is missing.

In Google Colab, a student opens a single notebook, without ``dpteach`` and without the files that
lie beside the notebook. The cell fetches both from the students' public repository, at the address
``c.Publish.repository`` and on the branch ``c.Publish.branch``. ``dpteach publish`` writes the
content of that repository. If ``dpteach`` can be imported, as it can in the grader's sandbox, the
cell does nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from dpteach._language import N_, catalog
from dpteach.grading.course.folder import setting

_, _n = catalog("course")

#: the file in the students' repository that tells pip where the wheel of dpteach is. Its name
#: contains no version, so a notebook of an older release also installs the present version
REQUIREMENTS: Final = "colab.txt"

_ABOUT: Final = N_(
    "This cell does nothing where the course is installed. Elsewhere, as in Google Colab, it "
    "installs the course's checks."
)
_MISSING: Final = N_(
    "The course's package dpteach is not installed here, so no check can run. Open this notebook "
    "in the course's own JupyterLab, which the folder of the course starts with `python start.py`. "
    "On a server, ask your instructor to install the package."
)
# the imports are inside a function, because a student's code could use global imports by mistake
_FETCH: Final = """\
    def install(home, folder, files):
        import os, subprocess, sys, urllib.request

        for file in files:
            if not os.path.exists(file):
                os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
                urllib.request.urlretrieve(f"{{home}}/{{folder}}/{{file}}", file)
        wheel = f"{{home}}/{requirements}"
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-r", wheel], check=True)

    install({home!r}, {folder!r}, {files!r})
    del install"""


@dataclass(frozen=True)
class Repository:
    """The public repository with the students' version of the course.

    Attributes
    ----------
    address
        The address of the repository, such as ``"https://github.com/university/privacy"``.
    branch
        The branch that students get.
    """

    address: str
    branch: str = "main"

    @property
    def github(self) -> str:
        """``"OWNER/NAME"`` on GitHub, or "" if the repository is elsewhere.

        >>> Repository("https://github.com/university/privacy.git").github
        'university/privacy'
        """
        found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", self.address)
        return found[1] if found else ""

    @property
    def files(self) -> str:
        """The web address of the folder with the repository's files, or "" if it is not known.

        >>> Repository("https://github.com/university/privacy").files
        'https://raw.githubusercontent.com/university/privacy/main'
        """
        if not self.github:
            return ""
        return f"https://raw.githubusercontent.com/{self.github}/{quote(self.branch)}"


def repository(settings: Any) -> Repository | None:
    """Return the students' repository that the course's settings name, or None.

    Raises
    ------
    CourseError
        If a setting is not an address or the name of a branch.
    """
    address = setting(settings, "Publish.repository")
    if not address:
        return None
    return Repository(address.rstrip("/"), setting(settings, "Publish.branch"))


def first_cell(settings: Any, assignment: str, files: Sequence[str]) -> str:
    """Return the code of the cell that installs the course where it is missing.

    Parameters
    ----------
    settings
        The course's settings. If they name no repository on GitHub, the cell installs nothing and
        prints where students can run the notebook.
    files
        The names of the files beside the notebook.

    Raises
    ------
    CourseError
        If a setting is not an address or the name of a branch.
    """
    found = repository(settings)
    if found is None or not found.files:
        otherwise = f"    print({_(_MISSING)!r})"
    else:
        otherwise = _FETCH.format(
            requirements=REQUIREMENTS,
            home=found.files,
            folder=assignment,
            files=list(files),
        )
    about = textwrap.wrap(_(_ABOUT), 90, initial_indent="# ", subsequent_indent="# ")
    code = ["try:", "    from dpteach.grading import check", "except ImportError:", otherwise]
    return "\n".join([*about, *code])
