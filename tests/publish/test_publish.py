"""Tests of the command ``dpteach publish``: its files, its errors, and interrupted runs."""

from __future__ import annotations

import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from canaries import NAME, Published, tree
from pseudo import untranslated

from dpteach import cli
from dpteach.publish import bundle, command

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ZIP = "dpteach-student.zip"


def write_site(
    project: Path, target: Path, *, say: Callable[[str], object], toc: Path | None = None
) -> list[str]:
    """Write a site with one page: a quick substitute for the real function, which takes minutes."""
    target.mkdir()
    (target / "index.html").write_text("the book")
    return ["The site has no PDF."]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the functions that build the site and the wheel, which take long, by fast ones."""
    monkeypatch.setattr(command, "write_site", write_site)
    monkeypatch.setattr(bundle, "wheel", lambda project: ("dpteach-1-py3-none-any.whl", b"PK"))


@pytest.fixture
def own(course: Path, tmp_path: Path) -> Path:
    """Return a copy of the small course; a test may change this copy."""
    return Path(shutil.copytree(course, tmp_path / "course", copy_function=shutil.copy2))


def publish(folder: Path, course: Path, *words: str) -> int:
    """Run ``dpteach publish`` with further arguments, and return the exit code."""
    return cli.main(["publish", str(folder), "--course", str(course), *words])


# ---------------------------------------------------------------- written files


def test_the_bundle_has_what_a_student_needs(published: Published) -> None:
    files = {name for name in tree(published.folder) if not name.endswith(".whl")}
    assert files == {
        "README.txt",
        "start.py",
        "course/bundle.json",
        "course/requirements.txt",
        "course/jupyter/jupyter_server_config.json",
        "course/jupyter/labconfig/page_config.json",
        *(f"course/assignments/{NAME}/{file}" for file in ("checks.json", f"{NAME}.ipynb")),
        f"course/assignments/{NAME}/data/table.csv",
    }
    told = json.loads((published.folder / "course" / "bundle.json").read_text("utf-8"))
    assert (published.folder / "course" / told["wheel"]).is_file()
    assert told["assignments"] == [NAME]
    readme = (published.folder / "README.txt").read_text("utf-8")
    assert len(readme.splitlines()) == 10 and "Windows" in readme.splitlines()[-1]


def test_both_are_written_and_written_again(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "für alle" / "public"
    assert publish(folder, course) == 0
    before = tree(folder)
    assert {*before} == {ZIP, "site/index.html", command.RECORD}
    (folder / "site" / "old.html").write_text("of an older book")
    (folder / "CNAME").write_text("example.org")
    assert publish(folder, course) == 0
    assert tree(folder) == {**before, "CNAME": b"example.org"}
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.splitlines()[-2:] == [
        f"dpteach publish: wrote {folder / 'site'}",
        f"dpteach publish: wrote {folder / ZIP}",
    ]
    assert "dpteach publish: The site has no PDF." in told.out.splitlines()


def test_only_one_is_written(course: Path, tmp_path: Path) -> None:
    assert publish(tmp_path / "a", course, "--only", "bundle") == 0
    assert publish(tmp_path / "b", course, "--only", "site") == 0
    assert {*tree(tmp_path)} == {
        *(f"a/{ZIP}", f"a/{command.RECORD}"),
        *("b/site/index.html", f"b/{command.RECORD}"),
    }
    assert publish(tmp_path / "a", course, "--only", "site") == 0
    assert publish(tmp_path / "a", course) == 0


def test_the_same_course_gives_the_same_bytes(course: Path, tmp_path: Path) -> None:
    for name in "ab":
        bundle.write_bundle(command.PROJECT, course, tmp_path / name, say=print)
        for path in (course / "release").rglob("*"):
            os.utime(path)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with zipfile.ZipFile(tmp_path / "a") as packed:
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.filename.partition("/")[0] for entry in packed.infolist()} == {bundle.NAME}


def test_a_dry_run_writes_nothing(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "release" / NAME / "checks.json").unlink()
    before = tree(own)
    assert publish(tmp_path / "a", own, "--dry-run") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"dpteach publish: would build the assignment {NAME}",
        f"dpteach publish: would write {tmp_path / 'a' / ZIP} with the assignments: {NAME}",
        f"dpteach publish: would write {tmp_path / 'a' / 'site'}, the pages of the book",
    ]
    assert tree(own) == before and not (tmp_path / "a").exists()


# ---------------------------------------------------------------- builds before publishing


def test_a_missing_release_is_built(own: Path, tmp_path: Path) -> None:
    before = tree(own / "release")
    shutil.rmtree(own / "release")
    told: list[str] = []
    made = bundle.write_bundle(command.PROJECT, own, tmp_path / "b", say=told.append)
    assert f"building assignments that are missing or not up to date: {NAME}" in told
    assert tree(own / "release").keys() == before.keys() and made.is_file()


@pytest.mark.parametrize(
    "file", [f"assignments/{NAME}.md", f"assignments/{NAME}/data/table.csv", "nbgrader_config.py"]
)
def test_a_release_that_is_older_than_its_text_is_stale(file: str, own: Path) -> None:
    assert bundle.stale(own, [NAME]) == []
    later = time.time() + 5
    os.utime(own / file, (later, later))
    assert bundle.stale(own, [NAME]) == [NAME]


def test_a_release_is_stale_after_a_change_of_the_library(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "new.py").touch()
    monkeypatch.setattr(bundle, "_LIBRARY", tmp_path / "library")
    early = time.time() - 100
    for path in (own / "release").rglob("*"):
        os.utime(path, (early, early))
    os.utime(own / "nbgrader_config.py", (0, 0))
    for path in (own / "assignments").rglob("*"):
        os.utime(path, (0, 0))
    assert bundle.stale(own, [NAME]) == [NAME]
    os.utime(tmp_path / "library" / "new.py", (0, 0))
    assert bundle.stale(own, [NAME]) == []


# ---------------------------------------------------------------- refused commands


@pytest.mark.parametrize("name", [ZIP, "site"])
def test_what_another_program_wrote_stays(
    name: str, course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "mine.txt").write_text("mine")
    for words in ([], ["--dry-run"]):
        assert publish(tmp_path, course, *words) == 2
        assert f"{tmp_path / name} exists, and dpteach publish did not write it, so it stays" in (
            capsys.readouterr().err
        )
    assert tree(tmp_path) == {f"{name}/mine.txt": b"mine"}


def test_a_failure_leaves_the_earlier_ones(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert publish(tmp_path, course) == 0
    before = tree(tmp_path)

    def fail(project: Path) -> tuple[str, bytes]:
        raise OSError(28, "No space left on device", "wheel")

    monkeypatch.setattr(bundle, "wheel", fail)
    assert publish(tmp_path, course) == 2
    assert capsys.readouterr().err == "dpteach publish: wheel: No space left on device\n"
    assert tree(tmp_path) == before and [*tmp_path.glob(".dpteach-draft-*")] == []


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_an_interrupted_run_is_mended_by_the_next(
    at: int, course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is killed before one of its four calls of `os.replace` is repaired by the next."""
    assert publish(tmp_path, course) == 0
    whole, moves = tree(tmp_path), []
    replace = os.replace

    class Killed(BaseException):
        pass

    def once(old: Path, new: Path) -> None:
        moves.append(new)
        if len(moves) == at:
            raise Killed
        replace(old, new)

    monkeypatch.setattr(command.os, "replace", once)
    monkeypatch.setattr(command.shutil, "rmtree", lambda *_args, **_named: None)
    with pytest.raises(Killed):
        publish(tmp_path, course)
    monkeypatch.undo()
    monkeypatch.setattr(command, "write_site", write_site)
    monkeypatch.setattr(bundle, "wheel", lambda project: ("dpteach-1-py3-none-any.whl", b"PK"))
    assert (tmp_path / ZIP).read_bytes() == whole[ZIP]
    assert publish(tmp_path, course) == 0
    assert tree(tmp_path) == whole


def test_a_file_that_the_build_did_not_release_is_refused(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = own / "release" / NAME / "data" / "solution.py"
    wrong.write_text("answer")
    assert publish(tmp_path / "a", own, "--only", "bundle") == 2
    assert f"{wrong} is no file of this assignment, so it might hold a solution." in (
        capsys.readouterr().err
    )
    assert tree(tmp_path / "a") == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--only", "pdf"], "invalid choice: 'pdf'"),
        (["--course", "/nowhere"], "the course (--course) must be a folder with nbgrader_config"),
    ],
)
def test_wrong_words_are_refused(
    words: list[str],
    told: str,
    course: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    try:
        code = publish(tmp_path / "a", course, *words)
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == 2 and told in capsys.readouterr().err and not (tmp_path / "a").exists()


def test_a_file_in_the_place_of_the_folder_is_refused(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(SystemExit):
        publish(tmp_path / "a", course)
    assert "must be a folder, which need not exist yet" in capsys.readouterr().err


def test_all_that_is_said_can_be_translated(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(tmp_path / "a", own, "--dry-run", "--language", "en-XA") == 0
    assert publish(tmp_path / "a", own, "--only", "bundle", "--language", "en-XA") == 0
    said = capsys.readouterr().out.replace("dpteach publish: ", "")
    assert untranslated(said, str(tmp_path / "a"), NAME) == []
    with zipfile.ZipFile(tmp_path / "a" / ZIP) as packed:
        files = {name.rpartition("/")[2]: packed.read(name).decode() for name in packed.namelist()}
    assert files["README.txt"].startswith("⟦")
    start: dict[str, Any] = {"__name__": "start", "__file__": "start.py"}
    exec(compile(files["start.py"], "start.py", "exec"), start)
    assert len(start["WORDS"]) > 10
    assert start["_"]("open no browser").startswith("⟦")
