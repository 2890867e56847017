"""The content of the students' public repository: the released assignments and the wheel.

Google Colab opens notebooks of this repository, and nbgitpuller copies the repository to the
students' JupyterHub. It contains only files that ``dpteach publish`` writes, so each release can
replace the whole content.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from dpteach._language import catalog
from dpteach.grading.course.folder import SETTINGS, assignment_names, settings_of
from dpteach.grading.course.installing import REQUIREMENTS, Repository, repository
from dpteach.publish import links, releases
from dpteach.publish.bundle import wheel
from dpteach.publish.problem import PublishError, Say

_, _n = catalog("publish")


def write_repository(project: Path, course: Path, target: Path, *, say: Say) -> list[str]:
    """Write the content of the students' repository, after building missing or outdated releases.

    Parameters
    ----------
    project
        The clone of this project's repository, from which the wheel is built.
    course
        The folder with ``nbgrader_config.py``.
    target
        The folder to write, which does not exist yet.
    say
        A function that shows one line about the progress.

    Returns
    -------
    list of str
        A line for each link that opens an assignment, for the instructor to put into the LMS.

    Raises
    ------
    PublishError
        If the setting ``c.Publish.repository`` is missing, or a release has a file that must not
        be published.
    dpteach.grading.author.build.BuildError, ValueError
        If an assignment cannot be built, or a setting is wrong.
    """
    found, hub = named(course), links.hub_of(settings_of(course))
    names = assignment_names(course)
    releases.build(course, names, say)
    say(_("writing the content of the students' repository"))
    target.mkdir(parents=True)
    for name in names:
        for path, file in releases.released(course, name):
            place = target / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    called, code = wheel(project)
    (target / called).write_bytes(code)
    if found.files:
        (target / REQUIREMENTS).write_text(f"dpteach @ {found.files}/{called}\n", "utf-8")
    listed = {name: links.of_assignment(found, name, hub) for name in names}
    (target / "README.md").write_text(_readme(listed), "utf-8")
    return [
        _("{name} in {where}: {link}", name=name, where=where, link=link)
        for name in names
        for where, link in listed[name].items()
    ]


def named(course: Path) -> Repository:
    """Return the students' repository that the settings of a course name.

    Raises
    ------
    PublishError
        If the setting ``c.Publish.repository`` is missing.
    """
    found = repository(settings_of(course))
    if found is not None:
        return found
    text = _(
        "the address of the students' repository is not known: set c.Publish.repository in {file}",
        file=course / SETTINGS,
    )
    raise PublishError(text)


def _readme(listed: Mapping[str, Mapping[str, str]]) -> str:
    """Return the text of README.md, which lists the assignments of the repository with their links.

    Parameters
    ----------
    listed
        The links of each assignment, as `dpteach.publish.links.of_assignment` returns them.
    """
    lines = [
        _("# The assignments of the course"),
        _("`dpteach publish` writes this repository, and replaces it with each release."),
    ]
    for name, of_name in listed.items():
        opened = [_("[open in {where}]({link})", where=k, link=link) for k, link in of_name.items()]
        lines.append(": ".join(filter(None, [f"- [{name}]({name}/)", ", ".join(opened)])))
    return "\n\n".join([*lines[:2], "\n".join(lines[2:])]) + "\n"
