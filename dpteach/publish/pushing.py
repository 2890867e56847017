"""Pushing the published assignments and the site to the students' public repository with git.

The assignments are pushed to the branch that the setting ``c.Publish.branch`` names. The site is
pushed to the branch ``gh-pages``, from which GitHub Pages serves it. Each push adds one commit to
the history of its branch and never replaces the history, because nbgitpuller cannot merge a new
history into the copies that students already have.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from dpteach import __version__
from dpteach._language import catalog
from dpteach.publish.problem import Say, run

_, _n = catalog("publish")

#: the branch from which GitHub Pages serves the site
PAGES: Final = "gh-pages"

#: the author of the commits, because git has none on a machine that only runs workflows
_AUTHOR: Final = ("-c", "user.name=dpteach publish", "-c", "user.email=dpteach@localhost")


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
    # in the current folder, git might apply the settings of another repository around it
    anywhere = Path(tempfile.gettempdir())
    return run(_("git could not publish:"), "git", *words, cwd=anywhere, GIT_TERMINAL_PROMPT="0")
