"""Tests of `dpteach serve` during a build: it shows a preview, and never an outdated page."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dpteach import cli, serve
from dpteach.building import Building
from dpteach.serve import serve_pages

MAKEFILE = """
PREVIEW = _build/preview/_build/html
.PHONY: first pages assignments
first:
	@mkdir -p $(PREVIEW)/book
	@echo '<body>front $(FIRST)</body>' > $(PREVIEW)/index.html
	@echo '<body>chapter</body>' > $(PREVIEW)/book/$(FIRST).html
pages: _build/html/index.html
_build/html/index.html: library
	@echo 'progress: 1 of 2 notebooks of the book (book/other)'
	@until [ -e go ]; do sleep .02; done
	@if [ -e wrong ]; then echo 'error: book/other, cell 5: NameError: name' >&2; exit 1; fi
	@echo 'but $(BUILT)' > built
	@echo '<body>whole</body>' > $@
assignments:
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with an outdated book, whose build waits until the file `go` exists."""
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "_toc.yml").write_text("- file: book/other\n- file: book/topic\n")
    (tmp_path / "course_src" / "assignments").mkdir(parents=True)
    (tmp_path / "course_src" / "assignments" / "topic.md").write_text("")
    stale = tmp_path / "_build" / "html" / "index.html"
    stale.parent.mkdir(parents=True)
    stale.write_text("<body>stale</body>")
    (stale.parent / "old.html").write_text("<body>stale</body>")
    time.sleep(0.02)
    (tmp_path / "library").write_text("")
    return tmp_path


@pytest.fixture
def served(project: Path) -> Iterator[tuple[Building, Callable[..., tuple[int, str]]]]:
    server, address = serve_pages(project / "_build" / "html", "127.0.0.1", 8300)
    server.building = Building(project)

    def ask(page: str, encoding: str = "utf-8") -> tuple[int, str]:
        try:
            with urllib.request.urlopen(address + page, timeout=30) as answer:
                return answer.status, answer.read().decode(encoding)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    yield server.building, ask
    server.building.end()
    server.shutdown()
    server.server_close()


def wait(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_preview_is_served_until_the_whole_book_is_there(
    project: Path, served: tuple[Building, Callable[..., tuple[int, str]]]
) -> None:
    building, ask = served
    assert "stale" not in ask("")[1]
    wait(lambda: building.first_ready and "1 of 2" in building.progress)
    for page, words in (("", "front topic"), ("book/topic.html", "chapter")):
        status, said = ask(page)
        assert status == 200 and words in said and "preview" in said and "1 of 2" in said
    for page in ("old.html", "book/other.html", "book.pdf"):
        status, said = ask(page)
        assert status == 503 and "not built yet" in said and "stale" not in said
    # a ready PDF is sent unchanged; it is not UTF-8, so decode it as latin-1
    (building.preview.parent / "ready.pdf").write_bytes(b"%PDF \xe9")
    assert ask("ready.pdf", "latin-1") == (200, "%PDF \xe9")
    (project / "go").touch()
    wait(lambda: building.done)
    assert (project / "built").read_text() == "but topic\n"
    assert ask("") == (200, "<body>whole</body>\n")
    assert building.status() == "Everything is built."


def test_a_cell_that_raises_is_named_and_the_preview_stays(
    project: Path, served: tuple[Building, Callable[..., tuple[int, str]]]
) -> None:
    building, ask = served
    (project / "wrong").touch()
    (project / "go").touch()
    wait(lambda: building.done)
    assert building.error == "book/other, cell 5: NameError: name"
    assert not building.whole
    status, said = ask("book/topic.html")
    assert status == 200 and "The build failed: book/other, cell 5" in said
    status, said = ask("old.html")
    assert status == 503 and "The build failed" in said and "stale" not in said


def test_what_is_up_to_date_is_served_at_once(project: Path) -> None:
    (project / "_build" / "html" / "index.html").touch()
    building = Building(project)
    assert building.whole
    assert building.pages() == project / "_build" / "html"
    assert not building.notice()


def test_lines_reach_a_pipe_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr(serve, "serve", lambda *_, say, **__: say("a line") or 0)
    monkeypatch.setattr("builtins.print", lambda *words, **how: said.append((words, how)))
    assert cli.main(["serve"]) == 0
    assert said == [(("a line",), {"flush": True})]


@pytest.mark.parametrize("wrong", [False, True], ids=["right", "wrong"])
def test_the_course_is_served_before_the_build_ends_and_its_failure_is_the_exit_code(
    project: Path, monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    release = project / "course_src" / "release"
    for name in ("topic", "other"):
        (release / name).mkdir(parents=True)
        (release / name / f"{name}.ipynb").write_text("{}")
    work = project / "course_src" / "work"
    lab = serve._Lab(
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE),
        project / "messages",
        project / "settings",
        "http://127.0.0.1:1/",
        "token",
    )
    lab.messages.touch()
    monkeypatch.setattr(serve, "_start_lab", lambda *_, **__: lab)
    if wrong:
        (project / "wrong").touch()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "Ctrl-C" in line and not (project / "go").exists():
            assert [path.name for path in work.iterdir() if path.is_dir()] == ["topic"]
            (project / "go").touch()
        elif line.startswith(("Everything is built", "The build failed")):
            os.kill(os.getpid(), signal.SIGINT)

    assert serve.serve(project, build=True, book_port=8300, say=say) == int(wrong)
    assert any("/lab/tree/topic/topic.ipynb?token=" in line for line in said)
    assert any("book/other, cell 5" in line for line in said) == wrong
    assert (work / "other").is_dir() == (not wrong)
    assert lab.process.stdin
    lab.process.stdin.close()
