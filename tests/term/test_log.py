"""Tests of ``dpteach log`` and of the log after crashes, damage and concurrent writing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpteach import cli
from dpteach.term.log import Event, Log, LogError, counting, read_event


def test_what_is_added_is_read_back(tmp_path: Path) -> None:
    log = Log(tmp_path)
    assert log.all() == []
    assert not log.folder.exists()
    first = log.add("due", {"due": "é\n\u2028"}, who="O'Neil", why="\ud800", before={"due": None})
    second = log.add("undo", {"number": 1}, who="x")
    assert Log(tmp_path).all() == [first, second]
    assert [first.number, second.number] == [1, 2]
    assert log.events() == []
    assert log.folder.stat().st_mode & 0o777 == 0o700
    assert log.file.stat().st_mode & 0o777 == 0o600
    assert len(log.file.read_bytes().splitlines()) == 2


@pytest.mark.parametrize("keep", [0, 1, 20, -1])
def test_a_line_that_a_crash_cut_off_is_replaced(tmp_path: Path, keep: int) -> None:
    log = Log(tmp_path)
    first = log.add("due", {"due": "a"}, who="x")
    whole = log.file.read_bytes()
    second = log.add("due", {"due": "b"}, who="x").line() + b"\n"
    log.file.write_bytes(whole + second[:keep])
    assert log.all() == [first]
    third = log.add("due", {"due": "c"}, who="x")
    assert third.number == 2
    assert log.all() == [first, third]


@pytest.mark.parametrize("line", [b"", b"{}", b"[1]", b"\xff", b'{"number": 2}', b"null"])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    log = Log(tmp_path)
    log.add("due", {}, who="x")
    whole = log.file.read_bytes()
    log.file.write_bytes(whole + line + b"\n")
    with pytest.raises(LogError, match=r"log\.jsonl, line 2, must be event 2 of the term"):
        log.add("due", {}, who="x")
    assert log.file.read_bytes() == whole + line + b"\n"


def test_a_doubled_line_is_seen(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.add("due", {}, who="x")
    log.file.write_bytes(2 * log.file.read_bytes())
    with pytest.raises(LogError, match="line 2"):
        log.all()


def test_fields_of_other_types_are_refused() -> None:
    event = Event(1, read_event(_line()).time, "x", "due", "", {}, {})
    assert read_event(event.line()) == event
    for changes in ({"number": True}, {"who": 3}, {"data": []}, {"before": None}):
        with pytest.raises(TypeError):
            read_event(replace(event, **changes).line())  # type: ignore[arg-type]


def _line() -> bytes:
    told = {"number": 1, "time": "2026-01-01T00:00:00+00:00", "who": "x", "kind": "k", "why": ""}
    return json.dumps(told).encode()


def test_a_full_disk_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(tmp_path)
    log.add("due", {}, who="x")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        log.add("due", {}, who="y")
    monkeypatch.undo()
    assert len(log.all()) == 1
    assert log.add("due", {}, who="y").number == 2


WRITER = """
import sys
from pathlib import Path
from dpteach.term.log import Log
log = Log(Path(sys.argv[1]))
for number in range(20):
    with log.locked():
        log.add("due", {"seen": len(log.all())}, who=sys.argv[2])
"""


def test_two_processes_write_in_turn(tmp_path: Path) -> None:
    words = [sys.executable, "-c", WRITER, str(tmp_path)]
    both = [subprocess.Popen([*words, who]) for who in ("one", "two")]
    assert [process.wait() for process in both] == [0, 0]
    events = Log(tmp_path).all()
    assert [event.number for event in events] == [*range(1, 41)]
    assert [event.data["seen"] for event in events] == [*range(40)]


def test_what_must_be_forgotten_is_replaced(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.add("add", {"person": {"id": "anna"}}, who="x")
    log.rewrite(lambda event: replace(event, data={"person": {"id": "forgotten"}}))
    assert b"anna" not in log.file.read_bytes()
    assert log.all()[0].data == {"person": {"id": "forgotten"}}


def test_an_undone_event_does_not_count(tmp_path: Path) -> None:
    log = Log(tmp_path)
    events = [log.add(kind, {}, who="x") for kind in ("due", "drop")]
    events.append(log.add("undo", {"number": 1}, who="x"))
    assert counting(events) == [events[1]]


def test_the_log_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    course = ["--course", str(tmp_path)]
    assert cli.main(["log", *course]) == 0
    assert capsys.readouterr().out == ""
    log = Log(tmp_path)
    log.add("drop", {"assignment": "a", "item": "i"}, who="x\x1b[2J", why="unclear")
    log.add("withdraw", {"students": ["anna"]}, who="x", before={"withdrawn": []})
    log.add("add", {"person": {"id": "ben"}}, who="x")
    log.add("undo", {"number": 2, "students": ["anna"]}, who="x")
    cli.main(["log", *course])
    out = capsys.readouterr().out
    assert out.count("UTC") == 4 and "\x1b" not in out
    assert "before: withdrawn -" in out and "drop (unclear)" in out
    assert "withdraw (undone)" in out
    cli.main(["log", "--student", "anna", *course])
    assert [line[0] for line in capsys.readouterr().out.splitlines() if "UTC" in line] == ["2", "4"]
    cli.main(["log", "--student", "ben", "--json", *course])
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["kind"] == "add"
    students = {"ben": {"place": "ben_1", "late": False}, "eve": {"place": "eve_2", "late": True}}
    log.add("collected", {"assignment": "b", "students": students}, who="x")
    cli.main(["log", "--student", "eve", *course])
    assert "    assignment b, student eve, late True, place eve_2\n" in capsys.readouterr().out
    cli.main(["log", "--student", "eve", "--json", *course])
    assert "ben" not in capsys.readouterr().out
    cli.main(["log", "--assignment", "a", *course])
    assert capsys.readouterr().out.startswith("1 ")
    log.file.write_text("damaged\n")
    assert cli.main(["log", *course]) == 2
    assert "line 1, must be event 1" in capsys.readouterr().err


def test_a_decision_that_is_made_again_at_once_is_recorded_once(tmp_path: Path) -> None:
    """A decision is recorded only once if the command that makes it was killed and is run again."""
    log = Log(tmp_path)
    first = log.add("due", {"assignment": "a"}, who="Ada", before={"due": None})
    assert log.add("due", {"assignment": "a"}, who="Ada", before={"due": "now"}) == first
    assert len(log.all()) == 1
    for who, why, data in (("Ben", "", "a"), ("Ben", "late", "a"), ("Ben", "late", "b")):
        log.add("due", {"assignment": data}, who=who, why=why)
    assert log.add("due", {"assignment": "a"}, who="Ada").number == 5, "others decided meanwhile"
