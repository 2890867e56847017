"""Tests of the published site, the students' repository, and the GitHub workflow that publishes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from canaries import CANARIES, NAME
from unpacking import found

from dpteach import cli
from dpteach.grading.course.folder import CourseError
from dpteach.grading.course.installing import Repository
from dpteach.publish import command, repository
from dpteach.publish.problem import PublishError
from dpteach.publish.site import LEFT_OUT, _public, problems, write_site

ROOT = Path(__file__).parents[2]
ADDRESS = "https://github.com/university/privacy"
SILENT: Any = {"say": lambda words: None}

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def with_repository(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the small course; its settings name a repository and a JupyterHub."""
    made = tmp_path_factory.mktemp("a course") / "course"
    shutil.copytree(course, made)
    settings = made / "nbgrader_config.py"
    told = f"c.Publish.repository = {ADDRESS!r}\nc.Publish.hub = 'https://hub.example'\n"
    settings.write_text(f"{settings.read_text('utf-8')}\n{told}", "utf-8")
    return made


# --- the site ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ('<a href="other.html#place">', False),
        ('<a href="../index.html">', False),
        ('<a href="#here">', False),
        ('<a href="https://example.org/">', False),
        ('<img src="with%20space.svg">', False),
        ('<a href="instructors.html">', True),
        ('<a href="/index.html">', True),
        ('<a href="../../index.html">', True),
        ('<script src="gone.js">', True),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, link: str, wrong: bool) -> None:
    site = tmp_path / "site"
    (site / "book").mkdir(parents=True)
    for name in ("index.html", "book/other.html", "book/with space.svg"):
        (site / name).write_text("<p>A page.</p>")
    (tmp_path / "index.html").write_text("")
    (site / "book" / "page.html").write_text(f"<p>{link}</p>")
    assert bool(list(problems(site))) is wrong


def test_the_pages_for_instructors_are_a_part_of_the_contents() -> None:
    contents = (ROOT / "_toc.yml").read_text("utf-8")
    left = yaml.safe_load(_public(contents))
    gone = set(re.findall(r"file: (\S+)", contents)) - set(
        re.findall(r"'file': '(\S+)'", str(left))
    )
    assert gone == {"book/instructors", "book/term", "book/assignments"}
    assert _public(_public(contents)) == _public(contents), "a course may leave them out itself"
    with pytest.raises(PublishError, match=r"no such part: book/instructors, book/term, book/ass"):
        _public(contents.replace(LEFT_OUT, "Teaching"))


def test_without_the_book_there_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="run `make book`"):
        write_site(tmp_path, tmp_path / "site", **SILENT)


# --- links and the students' repository -------------------------------------------------------


def test_nbgitpuller_s_link_is_quoted_so_that_it_comes_apart_again() -> None:
    there = Repository("https://git.example.org/a/privacy.git", "spring/2027")
    link = repository.nbgitpuller(there, "zcdp", "https://hub.example.org/jupyter/")
    parts = urlsplit(link)
    assert parts.path == "/jupyter/hub/user-redirect/git-pull"
    assert parse_qs(parts.query) == {
        "repo": ["https://git.example.org/a/privacy.git"],
        "urlpath": ["lab/tree/privacy/zcdp/zcdp.ipynb"],
        "branch": ["spring/2027"],
    }
    assert repository.colab(there, "zcdp") == ""
    assert repository.links_of(there, "zcdp") == {}


@pytest.mark.parametrize("hub", [3, "hub.example", "https://hub.example/?a=b"])
def test_a_wrong_hub_is_refused(hub: Any) -> None:
    with pytest.raises(CourseError, match=r"c\.Publish\.hub in nbgrader_config\.py must be"):
        repository.hub_of({"Publish": {"hub": hub}})


def test_the_repository_holds_the_release_and_the_wheel(
    with_repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "wheel", lambda project: ("dpteach-1-py3-none-any.whl", b"PK"))
    target = tmp_path / "repository"
    said = repository.write_repository(ROOT, with_repository, target, **SILENT)
    files = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert files == {
        "README.md",
        "colab.txt",
        "dpteach-1-py3-none-any.whl",
        f"{NAME}/{NAME}.ipynb",
        f"{NAME}/checks.json",
        f"{NAME}/data/table.csv",
    }
    assert found(target, CANARIES) == []
    raw = "https://raw.githubusercontent.com/university/privacy/main"
    wheel = f"dpteach @ {raw}/dpteach-1-py3-none-any.whl\n"
    assert (target / "colab.txt").read_text("utf-8") == wheel
    # the notebook's first cell must load the other files from the addresses where they are
    # published
    notebook = json.loads((target / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    (first, *_) = (cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert f"install('{raw}', '{NAME}', ['checks.json', 'data/table.csv'])" in "".join(
        first["source"]
    )
    colab, hub = said
    assert colab.endswith(f"{ADDRESS.replace('github.com', 'colab.research.google.com/github')}"
                          f"/blob/main/{NAME}/{NAME}.ipynb")  # fmt: skip
    assert "https://hub.example/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com" in hub
    readme = (target / "README.md").read_text("utf-8")
    assert all(line.rpartition(" ")[2] in readme for line in said)


def test_a_course_without_a_repository_publishes_the_rest(tmp_path: Path) -> None:
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", tmp_path)
    assert command.parts_of(tmp_path) == ["site", "bundle"]
    with pytest.raises(PublishError, match=r"set c\.Publish\.repository in .*nbgrader_config\.py"):
        repository.write_repository(ROOT, tmp_path, tmp_path / "made", **SILENT)
    words = ["publish", str(tmp_path / "made"), "--course", str(tmp_path), "--push", "--dry-run"]
    assert cli.main(words) == 2
    assert not (tmp_path / "made").exists()


def test_a_dry_run_says_what_is_pushed_where(
    with_repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["publish", str(tmp_path / "out"), "--course", str(with_repository), "--push"]
    assert cli.main([*words, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert f"would push {tmp_path / 'out' / 'repository'} to {ADDRESS}, branch main" in said
    assert f"would push {tmp_path / 'out' / 'site'} to {ADDRESS}, branch gh-pages" in said


def git(*words: str) -> str:
    """Run git, and return what it printed."""
    return subprocess.run(
        ["git", *words], check=True, capture_output=True, text=True, cwd="/"
    ).stdout.strip()


def test_each_push_adds_a_commit_with_exactly_this_content(tmp_path: Path) -> None:
    bare, content = tmp_path / "public.git", tmp_path / "what is new"
    git("init", "--quiet", "--bare", str(bare))
    content.mkdir()
    (content / "one.txt").write_text("1")
    (content / ".gitignore").write_text("*.whl")
    (content / "dpteach.whl").write_text("wheel")
    said: list[str] = []
    repository.push(content, str(bare), "main", say=said.append)
    (content / "one.txt").unlink()
    (content / "two.txt").write_text("2")
    repository.push(content, str(bare), "main", say=said.append)
    repository.push(content, str(bare), "main", say=said.append)
    repository.push(content, str(bare), "gh-pages", say=said.append)
    at = ("--git-dir", str(bare))
    assert git(*at, "ls-tree", "--name-only", "main").split() == [
        ".gitignore",
        "dpteach.whl",
        "two.txt",
    ]
    assert git(*at, "rev-list", "--count", "main") == "2"
    assert git(*at, "rev-list", "--count", "gh-pages") == "1"
    assert "has this content already" in said[2]
    assert not (content / ".git").exists()
    with pytest.raises(PublishError, match="git could not publish"):
        repository.push(content, str(tmp_path / "nowhere.git"), "main", say=said.append)


# --- the workflow -----------------------------------------------------------------------------


def test_each_step_of_the_workflow_runs_locally() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8"))
    assert workflow[True] == {"workflow_dispatch": None}, "nothing is published without being asked"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+)(?: \w+)*:(?!=)", makefile, re.MULTILINE))
    (job,) = workflow["jobs"].values()
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert "make pdf" in steps and any(" publish " in step for step in steps)
    for step in steps:
        program, *words = step.split()
        if program == "make":
            assert words and set(words) <= targets, step
        elif program == ".venv/bin/dpteach":
            assert cli.parser(words[0]).parse_args(words)
        else:
            assert re.fullmatch(r"sudo apt-get (?:update|install --yes [\w -]+)", step), step
