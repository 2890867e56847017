"""Tests that ``export --student`` and ``forget`` find all data of a student and no other data."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from small_course import NAME, grades

from dpteach import cli
from dpteach.grading.core.command import NOT_DONE
from dpteach.term import forget
from dpteach.term.backup import write_backup
from dpteach.term.forget import Student, forgotten, only, without
from dpteach.term.log import Event, Log
from dpteach.term.places import TERMS
from dpteach.term.state import Person, person_data

#: a student, and all texts that identify her; after ``dpteach forget``, no file may contain one
ANNA = Person("anna", "Anna", "Berg", "a.berg@example.org", keys={"canvas_id": "918273"})
TRACES = (b"anna", b"Anna", b"Berg", b"a.berg", b"918273")


@pytest.fixture
def busy(term: Path) -> Path:
    """Return a course with data about anna in all places: log, marks, exchange, earlier term."""
    log = Log(term)
    people = [person_data(ANNA), person_data(Person("ben", "Ben", "Ko"))]
    log.add("roster", {"people": people, "source": "canvas"}, who="t", why="Berg came, too")
    until = {"assignment": NAME, "until": "2030-01-01T00:00:00"}
    log.add("extension", {**until, "students": ["anna", "ben"]}, who="t", why="a fair for both")
    log.add("extension", {**until, "students": ["anna"]}, who="t", why="Anna was ill")
    points = {"assignment": NAME, "student": "anna", "item": "why", "points": 2.0}
    log.add("override", points, who="t", why="a good idea", before={"points": 0.0})
    files = {"students": {"anna": "berg_918273_small.ipynb", "ben": "b.ipynb"}, "file": "s.zip"}
    log.add("collected", {"assignment": NAME, **files}, who="t")
    log.add("withdraw", {"students": ["ben"]}, who="t", why="asked on Monday")
    with contextlib.closing(sqlite3.connect(term / "gradebook.db")) as book, book:
        book.execute(
            "update comment set manual_comment = 'well argued' where id in (select id from comment)"
        )
        book.execute("update student set first_name='Anna', last_name='Berg' where id='anna'")
    (term / ".term/marking").mkdir()
    marks = [
        {"kind": "numbered", "numbers": {"anna": 123, "ben": 456}},
        {"kind": "answers", "numbers": [123, 456]},
        {"kind": "marked", "number": 123, "comment": "Berg knows", "answer": "x", "points": 1},
        {"kind": "marked", "number": 456, "comment": "well", "answer": "y", "points": 2},
    ]
    lines = [json.dumps(mark) + "\n" for mark in marks]
    (term / ".term/marking/small.jsonl").write_text("".join(lines))
    for name, text in {
        ".exchange/dpteach/inbound/anna+small+2026-01-01": "small.ipynb",
        ".exchange/dpteach/inbound/annabel+small+2026-01-01": "small.ipynb",
        ".exchange/dpteach/outbound/small/versions/anna": "token",
        "versions/anna": "token",
        ".term/replaced/small/anna": "notes.json",
        f"{TERMS}/2025/submitted/anna/old": "old.ipynb",
    }.items():
        (term / name).mkdir(parents=True)
        (term / name / text).write_text("{}")
    pages = term / ".exchange/dpteach/feedback"
    pages.mkdir()
    (pages / "a1.html").write_text("<title>Feedback on small: anna (Anna Berg)</title>")
    (pages / "b2.html").write_text("<title>Feedback on small: annabel</title>")
    (term / "reports").mkdir()
    (term / "reports/small.html").write_text("<td>anna</td>")
    (term / "reports/other.html").write_text("<td>annabel</td>")
    return term


def traces(root: Path) -> list[str]:
    """Return the files whose path or content contains a name or id of the student anna (`TRACES`).

    The name of another student, annabel, does not count, although "anna" is in it.
    """
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and any(
            trace
            in os.fsencode(path.relative_to(root)) + path.read_bytes().replace(b"annabel", b"")
            for trace in TRACES
        )
        and "annabel" not in str(path)
    ]


def test_all_of_a_student_is_exported_and_can_be_read(
    busy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "to" / "anna.zip"
    command = ["export", "--student", "anna", "--to", str(file), "--course", str(busy)]
    assert cli.main(command) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(file) as zipped:
        parts = {name: zipped.read(name) for name in zipped.namelist()}
    assert str(len(parts)) in capsys.readouterr().out
    submitted = f"submitted/anna/{NAME}/{NAME}.ipynb"
    assert parts[submitted] == (busy / submitted).read_bytes()
    assert [mark["comment"] for mark in json.loads(parts["marking/small.json"])] == ["Berg knows"]
    for name in (
        f"feedback/anna/{NAME}/{NAME}.html",
        "exchange/dpteach/inbound/anna+small+2026-01-01/small.ipynb",
        "exchange/dpteach/feedback/a1.html",
        "terms/2025/submitted/anna/old/old.ipynb",
        "term/replaced/small/anna/notes.json",
    ):
        assert name in parts
    standing = json.loads(parts[f"grades/{NAME}.json"])
    assert standing["scores"] == {"double_values": 2.0, "half_values": 1.0, "why": 2.0}
    assert (standing["total"], standing["maximum"]) == (5.0, 6.0)
    assert "well argued" in standing["comments"].values()
    assert "a good idea" in parts[f"grades/{NAME}.json"].decode()
    assert json.loads(parts[f"results/{NAME}.json"])["items"]["half_values"] == [1.0, "", ""]
    roster = json.loads(parts["roster.json"])
    assert roster["roster"]["keys"] == {"canvas_id": "918273"}
    assert roster["gradebook"]["last_name"] == "Berg"
    events = json.loads(parts["log.json"])
    assert [event["kind"] for event in events] == [
        "roster",
        "extension",
        "extension",
        "override",
        "collected",
    ]
    # the zip file must not contain other students' data or hidden test cases
    whole = b"".join(parts.values())
    assert not [word for word in (b"ben", b"annabel", b"73519.25", b"61234.75") if word in whole]


def test_a_student_is_forgotten_everywhere(
    busy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = ["--course", str(busy)]
    before, ben = traces(busy), grades(busy)["ben"]
    assert len(before) > 12
    write_backup(busy, tmp_path / "new.tar.gz")
    write_backup(busy, tmp_path / "old.tar.gz")
    os.utime(tmp_path / "old.tar.gz", (0, 0))
    assert cli.main(["forget", "anna", "--dry-run", *course]) == 0
    listed = capsys.readouterr().out
    assert cli.main(["forget", "anna", *course]) == NOT_DONE
    assert traces(busy) == before and listed.splitlines()[0] in capsys.readouterr().out
    assert cli.main(["forget", "anna", "--by", "the office", "--yes", *course]) == 0
    said = capsys.readouterr().out
    assert "old.tar.gz: it is older than 365 days" in said and "new.tar.gz in 365 days" in said
    assert traces(busy) == []
    assert grades(busy) == {"ben": ben, "carla": grades(busy)["carla"]}
    assert {path.name for path in (busy / "reports").iterdir()} == {"other.html"}
    kinds = [(event.number, event.kind, event.why) for event in Log(busy).all()]
    assert kinds == [
        (1, "roster", ""),
        (2, "extension", ""),
        (3, "forgotten", ""),
        (4, "forgotten", ""),
        (5, "collected", ""),
        (6, "withdraw", "asked on Monday"),
        (7, "forgotten", ""),
    ]
    assert Log(busy).all()[1].data["students"] == ["ben"]
    assert forgotten(Log(busy).all(), ["ben", "anna"]) == ["anna"]
    record = (busy / ".term/marking/small.jsonl").read_text().splitlines()
    assert json.loads(record[0])["numbers"] == {"(123)": 123, "ben": 456}
    assert [json.loads(line)["comment"] for line in record[2:]] == ["", "well"]
    # forgetting anna again finds nothing; but restoring an older backup brings her data back, so
    # the command must say that she must be forgotten again
    assert cli.main(["forget", "anna", "--yes", *course]) == NOT_DONE
    capsys.readouterr()
    for _again in range(2):
        assert cli.main(["restore", str(tmp_path / "new.tar.gz"), "--yes", *course]) == 1
    assert "anna was forgotten before: run" in capsys.readouterr().err
    assert cli.main(["forget", "anna", "--yes", *course]) == 0
    # anna's data are gone from all folders, even from the one in which `dpteach restore` keeps the
    # data that it replaced
    assert traces(busy) == []


def test_forgetting_that_was_ended_is_completed(
    busy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_told: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(forget, "_remove_rows", fail)
        assert cli.main(["forget", "anna", "--yes", "--course", str(busy)]) == NOT_DONE
    assert traces(busy)
    assert cli.main(["forget", "anna", "--yes", "--course", str(busy)]) == 0
    assert traces(busy) == []
    assert sum("salt" in event.data for event in Log(busy).all()) == 1


def test_an_event_without_a_student_and_one_without_the_others() -> None:
    data = {"students": ["a", "b"], "people": [{"id": "a"}, {"id": "b"}], "by": {"a": 1, "b": 2}}
    event = Event(3, datetime(2026, 1, 1, tzinfo=UTC), "t", "kind", "because a asked", data)
    left = without(event, Student("b"))
    assert left.data == {"students": ["a"], "people": [{"id": "a"}], "by": {"a": 1}}
    assert (left.why, left.kind, left.number) == ("", "kind", 3)
    assert without(event, Student("c")) == event
    assert without(event, Student("c", frozenset({"because a"}))).why == ""
    assert only(event, frozenset("ab"), "b").data == {
        "students": ["b"],
        "people": [{"id": "b"}],
        "by": {"b": 2},
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export"], "name either"),
        (["export", NAME, "--student", "anna"], "name either"),
        (["export", "--student", "anna"], "--to FILE.zip"),
        (["export", "--student", "zoe", "--to", "z.zip"], "stores nothing about zoe"),
        (["forget", "zoe"], "stores nothing about zoe"),
        (["forget", ".."], "student must have"),
    ],
)
def test_what_is_refused(
    words: list[str],
    said: str,
    graded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main([*words, "--course", str(graded)]) == NOT_DONE
    assert said in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
