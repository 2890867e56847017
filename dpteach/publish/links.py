"""Links that an instructor puts into an LMS, each of which opens one assignment for a student.

A link to Google Colab has the form that Colab documents for notebooks on GitHub. A link to a
JupyterHub has the form that nbgitpuller's link generator produces (the file
``docs/_static/link_gen/link.js`` of jupyterhub/nbgitpuller).
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlencode

from dpteach._language import catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.course.folder import SETTINGS, CourseError
from dpteach.grading.course.installing import Repository

_, _n = catalog("publish")

_HUB = re.compile(r"https?://[\w.:-]+(?:/[\w.~/-]*)?")


def colab(repository: Repository, name: str) -> str:
    """Return the link that opens an assignment in Google Colab, or "" if it is not on GitHub.

    >>> colab(Repository("https://github.com/university/privacy"), "zcdp")
    'https://colab.research.google.com/github/university/privacy/blob/main/zcdp/zcdp.ipynb'
    """
    if not repository.github:
        return ""
    place = quote(f"{repository.github}/blob/{repository.branch}/{name}/{name}.ipynb")
    return f"https://colab.research.google.com/github/{place}"


def nbgitpuller(repository: Repository, name: str, hub: str) -> str:
    """Return the link that copies the students' repository to a JupyterHub and opens a notebook.

    Parameters
    ----------
    repository
        The students' repository.
    name
        The name of the assignment.
    hub
        The address of the hub, on which nbgitpuller and ``dpteach`` must be installed.

    Examples
    --------
    >>> found = Repository("https://git.example/privacy")
    >>> print(nbgitpuller(found, "zcdp", "https://hub.example").replace("&", " "))
    https://hub.example/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgit.example%2Fprivacy
    urlpath=lab%2Ftree%2Fprivacy%2Fzcdp%2Fzcdp.ipynb branch=main
    """
    folder = repository.address.rpartition("/")[2].removesuffix(".git")
    told = {
        "repo": repository.address,
        "urlpath": f"lab/tree/{folder}/{name}/{name}.ipynb",
        "branch": repository.branch,
    }
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(told)}"


def hub_of(settings: Any) -> str:
    """Return the address of the students' JupyterHub in a course's settings; "" if there is none.

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


def of_assignment(repository: Repository, name: str, hub: str = "") -> dict[str, str]:
    """Return the links that open an assignment, by the name of the service that a link opens.

    Parameters
    ----------
    repository
        The students' repository.
    name
        The name of the assignment.
    hub
        The address of a JupyterHub, or "" if there is none.
    """
    found = {_("Google Colab"): colab(repository, name)}
    if hub:
        found[_("JupyterHub")] = nbgitpuller(repository, name, hub)
    return {where: link for where, link in found.items() if link}
