"""The students' public repository: its content, the links to its assignments, and the push to it.

Google Colab opens notebooks of this repository, and nbgitpuller copies the repository to the
students' JupyterHub. It contains only files that ``dpteach publish`` writes, so each run of the
command can replace the whole content. Instructors put the links into an LMS, and each opens one
assignment for a student. A link to Google Colab has the form that Colab documents for notebooks on
GitHub. A link to a JupyterHub has the form that nbgitpuller's link generator produces (the file
``docs/_static/link_gen/link.js`` of jupyterhub/nbgitpuller).

The assignments are pushed to the branch that the setting ``c.Publish.branch`` names. The site is
pushed to the branch ``gh-pages``, from which GitHub Pages serves it. Each push adds one commit to
the history of its branch and never replaces the history, because nbgitpuller cannot merge a new
history into the copies that students already have.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from dpteach import __version__
from dpteach._language import catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.course.folder import SETTINGS, CourseError, settings_of
from dpteach.grading.course.installing import REQUIREMENTS, Repository, repository
from dpteach.publish.bundle import build_releases, released, wheel
from dpteach.publish.problem import PublishError, Say, run

_, _n = catalog("publish")

_HUB = re.compile(r"https?://[\w.:-]+(?:/[\w.~/-]*)?")

#: the branch from which GitHub Pages serves the site
PAGES: Final = "gh-pages"

#: git's options that set the author of commits, because git knows no author where GitHub runs a
#: workflow
_AUTHOR: Final = ("-c", "user.name=dpteach publish", "-c", "user.email=dpteach@localhost")


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
        If the setting ``c.Publish.repository`` is missing, or a release has a file that the
        build did not write.
    dpteach.grading.author.build.BuildError, ValueError
        If an assignment cannot be built, or a setting is wrong.
    """
    found, hub = named(course), hub_of(settings_of(course))
    names = build_releases(course, say)
    say(_("writing the content of the students' repository"))
    target.mkdir(parents=True)
    for name in names:
        for path, file in released(course, name):
            place = target / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    called, code = wheel(project)
    (target / called).write_bytes(code)
    if found.files:
        (target / REQUIREMENTS).write_text(f"dpteach @ {found.files}/{called}\n", "utf-8")
    listed = {name: links_of(found, name, hub) for name in names}
    (target / "README.md").write_text(_readme(listed), "utf-8")
    return [
        _("{name} in {where}: {link}", name=name, where=where, link=link)
        for name in names
        for where, link in listed[name].items()
    ]


def named(course: Path) -> Repository:
    """Return the students' repository, whose address is in the settings of a course.

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
        The links of each assignment, as `links_of` returns them.
    """
    title = _("# The assignments of the course")
    about = _("`dpteach publish` writes this repository, and replaces it with each release.")
    items = []
    for name, of_name in listed.items():
        opened = [_("[open in {where}]({link})", where=k, link=link) for k, link in of_name.items()]
        items.append(": ".join(filter(None, [f"- [{name}]({name}/)", ", ".join(opened)])))
    return "\n\n".join([title, about, "\n".join(items)]) + "\n"


def colab(repo: Repository, name: str) -> str:
    """Return the link that opens an assignment in Google Colab, or "" if `repo` is not on GitHub.

    >>> colab(Repository("https://github.com/university/privacy"), "zcdp")
    'https://colab.research.google.com/github/university/privacy/blob/main/zcdp/zcdp.ipynb'
    """
    if not repo.github:
        return ""
    place = quote(f"{repo.github}/blob/{repo.branch}/{name}/{name}.ipynb")
    return f"https://colab.research.google.com/github/{place}"


def nbgitpuller(repo: Repository, name: str, hub: str) -> str:
    """Return the link that copies the students' repository to a JupyterHub and opens an assignment.

    Parameters
    ----------
    repo
        The students' repository.
    name
        The name of the assignment.
    hub
        The address of the JupyterHub, on which nbgitpuller and ``dpteach`` must be installed.

    Examples
    --------
    >>> found = Repository("https://git.example/privacy")
    >>> print(nbgitpuller(found, "zcdp", "https://hub.example").replace("&", " "))
    https://hub.example/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgit.example%2Fprivacy
    urlpath=lab%2Ftree%2Fprivacy%2Fzcdp%2Fzcdp.ipynb branch=main
    """
    folder = repo.address.rpartition("/")[2].removesuffix(".git")
    told = {
        "repo": repo.address,
        "urlpath": f"lab/tree/{folder}/{name}/{name}.ipynb",
        "branch": repo.branch,
    }
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(told)}"


def hub_of(settings: Any) -> str:
    """Return the address of the students' JupyterHub, read from a course's settings.

    Return "" if the course has no JupyterHub.

    Raises
    ------
    CourseError
        If the setting ``c.Publish.hub`` is not the address of a JupyterHub.
    """
    hub = settings.get("Publish", {}).get("hub", "")
    if hub and not (isinstance(hub, str) and _HUB.fullmatch(hub)):
        text = _(
            "c.Publish.hub in {file} must be the address of a JupyterHub, such as "
            "'https://hub.example.org', got c.Publish.hub={value}",
            file=SETTINGS,
            value=shown(hub),
        )
        raise CourseError(text)
    return str(hub)


def links_of(repo: Repository, name: str, hub: str = "") -> dict[str, str]:
    """Return links that open an assignment, by service: Google Colab and the JupyterHub.

    A service that cannot open the assignment is left out.

    Parameters
    ----------
    repo
        The students' repository.
    name
        The name of the assignment.
    hub
        The address of a JupyterHub, or "" if there is none.
    """
    found = {_("Google Colab"): colab(repo, name)}
    if hub:
        found[_("JupyterHub")] = nbgitpuller(repo, name, hub)
    return {where: link for where, link in found.items() if link}


def push(content: Path, address: str, branch: str, *, say: Say) -> None:
    """Replace the content of a branch of a repository with that of a folder, by one commit.

    Parameters
    ----------
    content
        The folder whose files become the whole content of the branch.
    address
        The address of the repository.
    branch
        The name of the branch; it is made if it does not exist.
    say
        A function that shows one line: whether the branch was changed.

    Raises
    ------
    PublishError
        If git is missing, or the repository cannot be read or written.
    """
    with tempfile.TemporaryDirectory() as folder:
        here = ("--git-dir", f"{folder}/.git", "--work-tree", str(content))
        _git("init", "--quiet", "--initial-branch", branch, folder)
        if _git("ls-remote", "--heads", address, f"refs/heads/{branch}"):
            _git(*here, "fetch", "--quiet", "--depth", "1", address, branch)
            _git(*here, "reset", "--quiet", "--soft", "FETCH_HEAD")
        # force git to add also files that the settings of this machine tell git to ignore
        _git(*here, "add", "--all", "--force")
        if not _git(*here, "status", "--porcelain"):
            say(_("{address} has this content already on {branch}", address=address, branch=branch))
            return
        about = f"Publish the course with dpteach {__version__}"
        _git(*here, *_AUTHOR, "commit", "--quiet", "--message", about)
        _git(*here, "push", "--quiet", address, f"HEAD:refs/heads/{branch}")
    say(_("pushed to {address}, branch {branch}", address=address, branch=branch))


def _git(*words: str) -> str:
    """Run git, which must not ask for a password, and return what it printed."""
    # run git in the temporary folder, because in the current folder it might apply the settings of
    # another repository
    anywhere = Path(tempfile.gettempdir())
    return run(_("git could not publish:"), "git", *words, cwd=anywhere, GIT_TERMINAL_PROMPT="0")
