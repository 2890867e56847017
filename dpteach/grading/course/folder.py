"""Functions that find the folder of a course, read its settings and list its assignments."""

from __future__ import annotations

import functools
import os
import re
import sysconfig
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, SOURCE, LanguageError, catalog, check_language
from dpteach.grading.core.names import assignment_name
from dpteach.grading.core.plain import shown

_, _n = catalog("course")

#: the file that makes a folder a course
SETTINGS: Final = "nbgrader_config.py"
#: a file that exists in a course while ``dpteach restore`` replaces its data
UNFINISHED: Final = ".restore/ready.json"


def _is_amount(value: Any) -> bool:
    return isinstance(value, (int, float)) and value >= 0


def _is_selection(value: Any) -> bool:
    """Return whether a value is True, False or a list of names of assignments."""
    several = isinstance(value, (list, tuple, set)) and all(isinstance(one, str) for one in value)
    return isinstance(value, bool) or several


def _matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


_is_address = _matches(r"https://[\w.:-]+(?:/[\w.~-]+)+/?")

_AMOUNT = N_("{setting} must be a number >= 0, got {value}")
_SELECTION = N_(
    "{setting} in {file} must be True, False or a list of assignments, got {setting}={value}"
)

#: the course's own settings by name: the default, a function that tells whether a value is
#: allowed, and the error message for other values
_RULES: Final[Mapping[str, tuple[Any, Callable[[Any], bool], str]]] = {
    "Assignments.optional": (False, _is_selection, _SELECTION),
    "HandIn.by": (
        "file",
        _matches("file|exchange"),
        N_("{setting} in {file} must be 'file' or 'exchange', got {setting}={value}"),
    ),
    "LatePolicy.grace_minutes": (0, _is_amount, _AMOUNT),
    "LatePolicy.most_points": (0, _is_amount, _AMOUNT),
    "LatePolicy.points_per_day": (0, _is_amount, _AMOUNT),
    "Publish.branch": (
        "main",
        _matches(r"[\w.-]+(?:/[\w.-]+)*"),
        N_(
            "{setting} in {file} must be the name of a branch, such as 'main', got "
            "{setting}={value}"
        ),
    ),
    "Publish.repository": (
        "",
        lambda value: not value or _is_address(value),
        N_(
            "{setting} in {file} must be the address of a public repository, such as "
            "'https://github.com/OWNER/NAME', got {setting}={value}"
        ),
    ),
    "Versions.personal": (False, _is_selection, _SELECTION),
}


class CourseError(ValueError):
    """The reason why a course, its settings or an assignment cannot be used, in one line."""


def course_folder(course: str | Path) -> Path:
    """Return the folder of a course as an absolute path.

    Raises
    ------
    CourseError
        If the folder has no ``nbgrader_config.py``, or ``dpteach restore`` has replaced only a
        part of its data.
    """
    root = Path(course).resolve()
    if not (root / SETTINGS).is_file():
        raise CourseError(
            _(
                "the course (--course) must be a folder with {file}, got {folder}",
                file=SETTINGS,
                folder=root,
            )
        )
    check_whole(root)
    return root


def check_whole(root: Path) -> None:
    """Raise an error if ``dpteach restore`` has replaced only a part of a course's data.

    Raises
    ------
    CourseError
        If a restore was interrupted; the message says how to finish the restore.
    """
    if (root / UNFINISHED).exists():
        raise CourseError(
            _(
                "{folder} is half restored from a backup: run `dpteach restore` again, which "
                "finishes it",
                folder=root,
            )
        )


def course_above(place: Path) -> Path:
    """Return the nearest course in a folder or above it, or in a ``course_src`` in one of these.

    Parameters
    ----------
    place
        The folder where the search begins; the search goes on in the folders above.

    Raises
    ------
    CourseError
        If there is no course.
    """
    for folder in (place, *place.parents):
        for course in (folder, folder / "course_src"):
            if (course / SETTINGS).is_file():
                return course
    raise CourseError(
        _(
            "no course in {folder} or above it: go to a folder with {file}, or name one by "
            "--course",
            folder=place,
            file=SETTINGS,
        )
    )


def assignment_names(root: Path, *, graded: bool = False) -> list[str]:
    """Return the names of the assignments of a course, in order.

    Parameters
    ----------
    graded
        Whether to include graded assignments whose text source no longer exists.

    Raises
    ------
    CourseError
        If the course has no assignments.
    """
    names = {path.stem for path in (root / "assignments").glob("*.md")}
    if graded:
        names |= {path.parent.name for path in (root / ".grading").glob("*/run.json")}
    if not names:
        raise CourseError(
            _(
                "the course has no assignment, because {folder} holds no NAME.md",
                folder=root / "assignments",
            )
        )
    return sorted(names)


def check_assignment(root: Path, name: str, *, graded: bool = False) -> None:
    """Raise an error if a course has no assignment with the name `name`.

    Parameters
    ----------
    graded
        Whether to accept graded assignments whose text source no longer exists.

    Raises
    ------
    CourseError
        If there is no such assignment (the message names the assignments of the course), or if its
        name is not allowed.
    """
    names = assignment_names(root, graded=graded)
    if name not in names:
        raise CourseError(
            _(
                "there is no assignment {name}; there are: {names}",
                name=shown(name),
                names=", ".join(names),
            )
        )
    try:
        assignment_name(name)
    except ValueError as error:
        raise CourseError(str(error)) from None


def course_settings(root: Path) -> Any:
    """Return the settings in ``nbgrader_config.py`` as traitlets' ``Config``.

    Raises
    ------
    CourseError
        If the file cannot be run, if a setting of the late policy or the language is invalid, or
        if the file has a setting that no longer exists. The message names the file, and the line
        or the setting.
    """
    from traitlets.config.loader import PyFileConfigLoader

    file = root / SETTINGS
    try:
        config = PyFileConfigLoader(SETTINGS, path=str(root)).load_config()
    except Exception as error:  # the settings are a program, which may raise any error
        if isinstance(error, ModuleNotFoundError) and _frames(error)[-1].filename != str(file):
            # a package that dpteach imports is missing; the command ``dpteach`` says how to
            # install it
            raise
        lines = [frame.lineno for frame in _frames(error) if frame.filename == str(file)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        what = f"{type(error).__name__}: {' '.join(text.split())}"
        raise CourseError(f"{file}{f':{line}' if line else ''}: {what}") from None
    try:
        for name in ("grace_minutes", "most_points", "points_per_day"):
            setting(config, f"LatePolicy.{name}")
        course_language(config)
    except ValueError as error:
        raise CourseError(f"{file}: {error}") from None
    if "short" in config.get("Assignments", {}):
        raise CourseError(
            _(
                "{file}: c.Assignments.short no longer exists: without a setting, the core of each "
                "assignment is released, and c.Assignments.optional (True or a list of "
                "assignments) adds the optional sections",
                file=file,
            )
        )
    config.CourseDirectory.root = str(root)
    return config


def course_language(settings: Any) -> str:
    """Return the language of a course's messages, ``c.Course.language``; by default English.

    Parameters
    ----------
    settings
        The course's settings (`course_settings`).

    Raises
    ------
    ValueError
        If there are no translations into the language.
    """
    language = settings.get("Course", {}).get("language", SOURCE)
    try:
        return check_language(language)
    except LanguageError as error:
        raise ValueError(f"c.Course.{error}") from None


def settings_of(course: Path) -> Any:
    """Return the settings of a course; an empty dict for a folder without a settings file.

    Raises
    ------
    CourseError
        As `course_settings`.
    """
    file = course / SETTINGS
    return _settings(course, file.read_bytes()) if file.is_file() else {}


@functools.lru_cache(maxsize=4)
def _settings(course: Path, content: bytes) -> Any:
    """Return the settings; cache them by the file's content, because running it takes a second."""
    return course_settings(course)


def setting(settings: Any, name: str) -> Any:
    """Return the value of one of the course's own settings, or its default.

    Parameters
    ----------
    settings
        The course's settings (`course_settings`).
    name
        The setting, such as ``"HandIn.by"``.

    Raises
    ------
    CourseError
        If the value is not allowed.
    """
    default, allowed, problem = _RULES[name]
    group, _dot, word = name.partition(".")
    value = settings.get(group, {}).get(word, default)
    if not allowed(value):
        raise CourseError(_(problem, setting=f"c.{name}", file=SETTINGS, value=shown(value)))
    return value


def is_among(settings: Any, name: str, assignment: str) -> bool:
    """Return whether a setting (True, False or a list of assignments) includes an assignment.

    Parameters
    ----------
    settings, name
        As for `setting`.

    Raises
    ------
    CourseError
        If the setting has another type of value.
    """
    value = setting(settings, name)
    return value if isinstance(value, bool) else assignment in value


def _frames(error: Exception) -> traceback.StackSummary:
    return traceback.extract_tb(error.__traceback__)


def _tools_on_path() -> None:
    """Add this Python environment's commands to PATH, because nbgrader runs alembic from PATH."""
    scripts = sysconfig.get_path("scripts")
    path = os.environ.get("PATH", "")
    if scripts not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join(part for part in (scripts, path) if part)


def course_api(course_root: str | Path) -> Any:
    """Return nbgrader's ``NbGraderAPI`` for a course, with the course's configuration.

    Raises
    ------
    CourseError
        If the folder is no course, or nbgrader cannot work with its settings.
    """
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets import TraitError

    from dpteach.grading.course.late import LatePenalties

    root = course_folder(course_root)
    _tools_on_path()
    config = course_settings(root)
    try:
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
        # make the plugin for late penalties now, because a later error about the plugin would not
        # name the settings file
        LatePenalties(config=config)
    except (TraitError, ImportError, AttributeError) as error:
        raise CourseError(f"{root / SETTINGS}: {' '.join(str(error).split())}") from None
    return api
