"""Tests of the messages of dpteach's commands about wrong arguments, files and courses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import small_course
from pseudo import untranslated
from small_course import NAME

from dpteach import _language, cli
from dpteach._language import VARIABLE, speaking
from dpteach.grading.author.source import SourceError
from dpteach.grading.classroom import classroom, export
from dpteach.grading.classroom.cluster import check_address
from dpteach.grading.core.command import error_words
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.gradebook import Standing

COMMANDS = ["assignments", "grade", "report", "export"]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return the folder of a course with a small assignment that has not been built."""
    folder = tmp_path / "course"
    (folder / "assignments").mkdir(parents=True)
    shutil.copy(small_course.ROOT / "course_src" / "nbgrader_config.py", folder)
    (folder / "assignments" / f"{NAME}.md").write_text(small_course.SOURCE, "utf-8")
    return folder


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command, asserts its failure, and returns its message."""

    def said(command: str, course: Path, *told: str, name: str = NAME) -> str:
        assert cli.main([command, name, "--course", str(course), *told]) == 2
        out, text = capsys.readouterr()
        assert out == ""
        assert text.startswith(f"dpteach {command}: ") and text.endswith("\n")
        return text.removeprefix(f"dpteach {command}: ")

    return said


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    return text


# --- which course a command takes if none is named


def test_the_course_is_looked_for_upwards_from_the_working_directory(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course / "assignments" / "deep").mkdir()
    for place in ("assignments/deep", ".", ".."):
        if place == "..":  # in a folder with a subfolder course_src, the course is this subfolder
            course = course.rename(course.parent / "course_src")
        topic = f"topic{len(place)}"
        monkeypatch.chdir(course / place)
        assert cli.main(["new", topic]) == 0
        assert (course / "assignments" / f"{topic}.md").is_file()
        assert capsys.readouterr().err == f"dpteach new: the course is {course}\n"


@pytest.mark.parametrize("command", [*COMMANDS, "new", "versions"])
def test_the_course_is_never_the_clone_of_the_package(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main([command, "zcdp"]) == 2
    out, told = capsys.readouterr()
    assert out == "" and f"no course in {tmp_path} or above it" in one_line(told)


# --- commands whose output is no longer read, as with ``| head``

#: a program that prints more than fits into a pipe, and then prints "ended" to standard error
LONG = """
import sys
from dpteach import cli
cli.run = lambda words: print("x" * 1_000_000) or print("ended", file=sys.stderr) or 1
sys.exit(cli.main([]))
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_command_finishes_although_the_reader_of_its_output_left(unbuffered: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LONG],
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        assert running.stderr.read() == b"ended\n"
    assert running.returncode == 1


# --- missing packages

#: a program that runs each of its arguments as a command of dpteach
RUN = """
import sys
from dpteach import cli
for words in sys.argv[1:]:
    print(cli.main(words.split()), file=sys.stderr, flush=True)
"""
NEEDS_MORE = {
    "validate zcdp.ipynb": "student",
    "assignments": "grading",
    "versions small": "grading",
    "grade small": "grading",
    "report small": "grading",
    "export small": "grading",
}


def test_without_its_packages_a_command_names_the_extra(course: Path, tmp_path: Path) -> None:
    import numpy
    import scipy

    alone = tmp_path / "alone"
    alone.mkdir()
    for package in (numpy, scipy, cli):
        where = Path(package.__file__ or "").parent
        (alone / where.name).symlink_to(where)
    (course / "zcdp.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4}')
    (course / "checks.json").write_text("{}")
    done = subprocess.run(
        [sys.executable, "-S", "-c", RUN, *NEEDS_MORE],
        env={"PYTHONPATH": str(alone)},
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if "the course is" not in line]
    assert len(lines) == 2 * len(NEEDS_MORE), done.stderr
    for (words, extra), told, code in zip(NEEDS_MORE.items(), lines[::2], lines[1::2], strict=True):
        assert code == "2"
        command = words.partition(" ")[0]
        assert told.startswith(f"dpteach {command}: this command needs ")
        assert told.endswith(f", which is not installed: pip install 'dpteach[{extra}]'")


def test_what_the_settings_need_names_the_extra_too(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needing = "dpteach.grading.pages.formgrader"
    monkeypatch.delitem(sys.modules, needing, raising=False)
    # None in `sys.modules` makes the import fail, as if the package were not installed
    monkeypatch.setitem(sys.modules, "nh3", None)
    (course / "nbgrader_config.py").write_text(f"import {needing}\n")
    assert cli.main(["export", NAME, "--course", str(course)]) == 2
    assert "needs nh3, which is not installed" in one_line(capsys.readouterr().err)
    (course / "nbgrader_config.py").write_text("import no_such_module\n")
    assert cli.main(["export", NAME, "--course", str(course)]) == 2
    assert "nbgrader_config.py:1: ModuleNotFoundError" in one_line(capsys.readouterr().err)


# --- the table of grades


def test_the_table_has_a_line_for_each_student() -> None:
    scores = {"a": 1 / 3, "b": 0.0}
    graded = Standing("=ann", True, None, scores, {}, 0.5, "1 day late", 2.5, 5.0)
    waits = replace(graded, student="ben", scores={"a": 2.0, "b": None}, penalty=0.0, late="")
    missing = replace(waits, student="zoe", submitted=False, scores={}, total=0.0)
    refused = replace(graded, student="kim", refused="=no notebook", total=0.0)
    gone = replace(waits, student="leo", withdrawn=True, notes={"b": "It was dropped."})
    decided = replace(refused, student="lee", total=3.0, notes={TOTAL: "Decided."})
    standings = [graded, waits, missing, refused, decided, gone]
    assert export.table(iter(standings), ["b", "a", "c"]).split("\r\n") == [
        "student,total,max,late penalty,late,status,reason,b,a,c",
        "'=ann,2.5,5,0.5,1 day late,graded,,0,0.333333,",
        "ben,2.5,5,0,,to be graded,,,2,",
        "zoe,0,5,0,,missing,,,,",
        "kim,,5,0.5,1 day late,refused,'=no notebook,,,",
        "lee,3,5,0.5,1 day late,graded,'=no notebook Decided.,0,0.333333,",
        "leo,2.5,5,0,,withdrawn,b: It was dropped.,,2,",
        "",
    ]
    assert export.table(iter([]), ["+a"]).strip() == f"{','.join(export.COLUMNS)},'+a"


def test_the_table_of_an_assignment_whose_text_is_gone(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = course / "assignments" / f"{NAME}.md"
    text.rename(course / "assignments" / "other.md")
    with pytest.raises(export.CourseError, match="there is no assignment 'small'"):
        export.export(course, NAME)
    (course / ".grading" / NAME).mkdir(parents=True)
    (course / ".grading" / NAME / "run.json").touch()
    with pytest.raises(export.GradebookError, match="does not know the assignment small"):
        export.export(course, NAME)


def test_the_table_goes_where_it_is_told(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(export, "export", lambda course, assignment, form: f"{assignment}\r\n")
    assert cli.main(["export", NAME, "--course", str(course)]) == 0
    assert capsys.readouterr().out == f"{NAME}\r\n"
    file = course / "new" / "grades.csv"
    assert cli.main(["export", NAME, "--course", str(course), "--to", str(file)]) == 0
    assert file.read_bytes() == f"{NAME}\r\n".encode() and capsys.readouterr().out == ""


# --- output files


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    export.write(pipe, "student\r\nZoë\r\n")
    reader.join(10)
    assert found == ["student\r\nZoë\r\n".encode()]
    assert pipe.is_fifo()


def test_a_link_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "term"
    folder.mkdir()
    for name in ("there", "not yet"):
        link, target = tmp_path / f"link to {name}", folder / name
        link.symlink_to(target)
        if name == "there":
            target.write_text("before")
        export.write(link, "now")
        assert link.is_symlink() and target.read_text() == "now"
    assert sorted(path.name for path in folder.iterdir()) == ["not yet", "there"]


def test_what_standard_output_holds_already_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    program = "import sys; from pathlib import Path; from dpteach.grading.classroom import export\n"
    program += "export.write(Path(sys.argv[1]), 'now\\n')"
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", program, str(log)], stdout=stream, check=True)
    assert log.read_text() == "before\nnow\n"


@pytest.mark.parametrize("value", ["", "folder", "folder/", "new/"])
def test_export_to_what_is_no_file(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SystemExit, match="2"):
        cli.main(["export", "small", "--to", value])
    assert f"--to: must be a file, not a folder, got {value!r}" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.parametrize("value", ["", "file", "nowhere"])
def test_report_to_what_is_no_folder(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "nowhere").symlink_to("none")
    with pytest.raises(SystemExit, match="2"):
        cli.main(["report", "small", "--to", value])
    assert f"--to: must be a folder, which need not exist yet, got {value!r}" in (
        capsys.readouterr().err
    )
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("command", ["report", "export"])
def test_below_a_file(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    value = str(tmp_path / "file" / "new" / "x")
    with pytest.raises(SystemExit, match="2"):
        cli.main([command, "small", "--to", value])
    assert f"--to: must be in a folder, and a part of its path is a file, got {value!r}" in (
        capsys.readouterr().err
    )


# --- courses, settings, gradebooks


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_is_no_course(command: str, tmp_path: Path, said: Callable[..., str]) -> None:
    expected = f"the course (--course) must be a folder with nbgrader_config.py, got {tmp_path}\n"
    assert said(command, tmp_path) == expected
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_an_assignment_that_is_none(command: str, course: Path, said: Callable[..., str]) -> None:
    told = said(command, course, name="other")
    assert told == f"there is no assignment 'other'; there are: {NAME}\n"
    (course / "assignments" / f"{NAME}.md").unlink()
    told = f"the course has no assignment, because {course / 'assignments'} holds no NAME.md\n"
    assert said(command, course) == told
    assert sorted(path.name for path in course.iterdir()) == ["assignments", "nbgrader_config.py"]


def test_to_build_all_of_none(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "assignments" / f"{NAME}.md").unlink()
    assert cli.main(["assignments", "--course", str(course)]) == 2
    assert "the course has no assignment" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize("command", COMMANDS)
def test_settings_that_are_none(command: str, course: Path, said: Callable[..., str]) -> None:
    file = course / "nbgrader_config.py"
    for text, words in [
        ("\nc = (", ":2: SyntaxError: '(' was never closed"),
        ("c = get_config()\nc.x = 1 / 0\n", ":2: ZeroDivisionError: division by zero"),
        (
            "c.LatePolicy.points_per_day = 'four'",
            ": c.LatePolicy.points_per_day must be a number >= 0, got 'four'",
        ),
        ("c.LatePolicy.most_points = -4", ": c.LatePolicy.most_points must be a number >= 0, "),
        ("c.LatePolicy.grace_minutes = float('nan')", ": c.LatePolicy.grace_minutes must be a "),
        ("c.CourseDirectory.groupshared = 'x'", ": The 'groupshared' trait of a CourseDirectory"),
        ("c.AssignLatePenalties.plugin_class = 'no.such.Policy'", ": The 'plugin_class' trait"),
    ]:
        file.write_text(text)
        assert one_line(said(command, course)).startswith(f"{file}{words}"), text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_gradebook_that_is_none(command: str, course: Path, said: Callable[..., str]) -> None:
    (course / "gradebook.db").write_bytes(b"this is no database, whatever it is called" * 100)
    told = one_line(said(command, course))
    assert told.startswith("the gradebook cannot be ") and "file is not a database" in told


@pytest.mark.parametrize("command, place", [
    pytest.param("assignments", "source", marks=pytest.mark.slow),
    ("grade", ".grading"), ("report", "reports"),
])  # fmt: skip
def test_a_course_that_cannot_be_written(
    command: str, place: str, course: Path, said: Callable[..., str]
) -> None:
    # put a file where the command makes the folder `place`; permissions would not stop root
    (course / place).write_text("")
    told = one_line(said(command, course))
    assert told.startswith(f"{course / place}") and "[Errno" not in told


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file", "a"), "a: No such file"),
        (FileNotFoundError(2, "No such file", b"a"), "a: No such file"),
        (OSError(18, "Not on one device", "a", None, "b"), "b: Not on one device"),
        (OSError(28, "No room"), "No room"),
        (OSError("in words"), "in words"),
        (ValueError("in words"), "in words"),
        (ValueError(), "ValueError"),
    ],
)
def test_errors_in_words(error: Exception, words: str) -> None:
    assert error_words(error) == words


def test_lines_of_an_error_are_lines(
    course: Path, said: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise SourceError("small.md:7: not so:\n  a line\x1b[2J\n")

    monkeypatch.setattr(classroom, "make_exam", broken)
    assert said("grade", course) == "small.md:7: not so:\n  a line\ufffd[2J\n"


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "nonsense://x:1", "127.0.0.1:x", "tcp://", "tcp://host:0", "h:65536"],
)
def test_an_address_that_is_no_scheduler_s(
    address: str, course: Path, said: Callable[..., str]
) -> None:
    told = one_line(said("grade", course, "--scheduler", address))
    assert told.startswith("the scheduler (--scheduler) must be HOST:PORT, tcp://HOST:PORT or ")
    assert told.endswith(f"got {address!r}\n")
    assert not (course / ".grading").exists()


@pytest.mark.parametrize("address", ["tls://[::1]:8786", "ws://a-b.c:1", "a_b:65535", "ucx://h:1"])
def test_addresses(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("command", [None, "serve", "assignments", "validate"])
def test_the_help_is_in_a_catalog(command: str | None) -> None:
    """All words of a command's help can be translated, except argparse's own, such as *options*."""
    with speaking("en-XA"):
        text = cli.parser(command).format_help()
        if command:
            chosen = cli.parser(command)._subparsers._group_actions[0].choices[command]
            text = chosen.format_help()
    usage = text.index("\n\n")
    of_python = ("positional arguments:", "options:", "show this help message and exit")
    commands = (*cli.ELSEWHERE, "assignments", "serve")
    names = (*commands, "HOST", "PORT", "DIR", "NAME", "NOTEBOOK", "LANGUAGE")
    assert untranslated(text[usage:], *of_python, *names) == []


def test_an_unknown_language_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main(["serve", "--check", "--language", "xx"]) == 2
    assert "dpteach: language must be one of en, en-XA, got 'xx'" in capsys.readouterr().err
    monkeypatch.setenv(VARIABLE, "yy")
    monkeypatch.setattr(_language, "_current", "yy")
    assert cli.main(["serve", "--check"]) == 2
    assert "got 'yy'" in capsys.readouterr().err


def test_the_setting_of_a_course_chooses_the_language(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(course)
    settings = course / "nbgrader_config.py"
    settings.write_text(settings.read_text() + "\nc.Course.language = 'en-XA'\n")
    cli.main(["assignments", "nothing"])
    assert "⟦ţhé çöûřšé îš" in capsys.readouterr().err
    cli.main(["assignments", "nothing", "--language", "en"])
    assert "the course is" in capsys.readouterr().err
    settings.write_text(settings.read_text() + "\nc.Course.language = 'xx'\n")
    assert cli.main(["assignments", "nothing"]) == 2
    assert "c.Course.language must be one of en, en-XA, got 'xx'" in capsys.readouterr().err
