"""Tests of `dpteach serve`, which starts and ends a server of the book together with JupyterLab."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpteach import cli
from dpteach.serve import (
    ServeError,
    _as_read,
    chapters,
    free_port,
    serve,
    serve_pages,
    start_page,
    student_settings,
    working_copies,
)

pytest.importorskip("jupyterlab")

SCRIPT = """
import sys
from pathlib import Path
from dpteach.serve import ServeError, serve
try:
    sys.exit(serve(
        Path(sys.argv[1]), host="127.0.0.1", book_port=int(sys.argv[2]),
        lab_port=int(sys.argv[3]), instructor=sys.argv[4:] == ["instructor"],
    ))
except ServeError as error:
    sys.exit(f"dpteach serve: {error}")
"""


def a_port() -> int:
    """Return the number of a port that no program uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.1)
    return bool(condition())


def alive(pid: int) -> bool:
    """Return whether a process runs; a zombie, which has ended but is still listed, does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children(pid: int) -> set[int]:
    """Return the ids of all descendants of a process."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, new = set(), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project to serve: a book of one page, slides, and a course with one assignment."""
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").write_text("<title>The book</title>")
    (tmp_path / "_build" / "html" / "_static" / "notebooks").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "_static" / "lab.js").write_text("// of a static host")
    (tmp_path / "_build" / "html" / "_static" / "notebooks" / "divergences.ipynb").write_text("{}")
    (tmp_path / "_build" / "slides" / "notebooks").mkdir(parents=True)
    (tmp_path / "_build" / "slides" / "index.html").write_text("<title>The demos</title>")
    (tmp_path / "_build" / "slides" / "notebooks" / "pure_dp_coin.ipynb").write_text("{}")
    release = tmp_path / "course_src" / "release" / "topic"
    release.mkdir(parents=True)
    notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (release / "topic.ipynb").write_text(json.dumps(notebook))
    (release / "checks.json").write_text("{}")
    return tmp_path


class Served:
    """A running `dpteach serve`, and the addresses that it printed."""

    def __init__(self, project: Path, book_port: int, lab_port: int, *more: str) -> None:
        environment = os.environ | {
            "PYTHONUNBUFFERED": "1",
            "JUPYTER_RUNTIME_DIR": str(project / "runtime"),
            "JUPYTER_CONFIG_DIR": str(project / "config"),
            "JUPYTER_DATA_DIR": str(project / "data"),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(project), str(book_port), str(lab_port), *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        self.lines: list[str] = []
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            if "Ctrl-C" in line:
                break
        addresses = re.findall(r"http://\S+", "".join(self.lines))
        assert len(addresses) == 2 + bool(more), "".join(self.lines)
        self.book, self.lab, *self.slides = addresses
        self.book_port, self.lab_port = (
            int(re.match(r"http://127\.0\.0\.1:(\d+)/", address)[1])  # type: ignore[index]
            for address in addresses[:2]
        )
        self.token = self.lab.partition("?token=")[2]

    def ask(self, path: str, data: bytes | None = None, token: str | None = None) -> str:
        request = urllib.request.Request(f"http://127.0.0.1:{self.lab_port}{path}", data=data)
        request.add_header("Authorization", f"token {self.token if token is None else token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()

    def end(self, number: int) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(40)
        assert self.process.stdout
        self.process.stdout.close()
        return code


@pytest.fixture
def start(project: Path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def start(*more: str, book_port: int | None = None, lab_port: int | None = None) -> Served:
        served = Served(project, book_port or a_port(), lab_port or a_port(), *more)
        started.append(served)
        return served

    yield start
    for served in started:
        served.end(signal.SIGTERM)


@pytest.mark.slow
def test_serves_both_and_ctrl_c_ends_both_and_their_kernels(
    project: Path, start: Callable[..., Served]
) -> None:
    # an earlier dpteach made this folder readable by other users; serving must make it private
    (project / "runtime").mkdir()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        served = start(book_port=port)
    assert served.book_port > port, "a port that is taken: the next free one"
    with urllib.request.urlopen(served.book, timeout=30) as answer:
        assert b"The book" in answer.read()
    assert "/lab/tree/topic/topic.ipynb?token=" in served.lab
    assert len(served.token) >= 32
    with pytest.raises(urllib.error.HTTPError) as refused:
        served.ask("/api/contents", token="guessed")
    assert refused.value.code == 403
    refused.value.close()
    with urllib.request.urlopen(f"{served.book}_static/lab.js?v=1", timeout=30) as answer:
        script = answer.read().decode()
    # the script must contain the address of JupyterLab, but not its secret token
    assert f'"http://127.0.0.1:{served.lab_port}/lab/tree/chapters/" +' in script
    assert served.token not in script
    found = json.loads(served.ask("/api/contents/chapters/divergences.ipynb?content=0"))
    assert found["size"] == 2
    listing = json.loads(served.ask("/api/contents/topic"))
    found = sorted(entry["name"] for entry in listing["content"])
    assert found == ["checks.json", "topic.ipynb"]

    runtime = project / "runtime"
    assert runtime.stat().st_mode & 0o777 == 0o700
    secret = [path for path in runtime.glob("*.*") if served.token in path.read_text("utf-8")]
    assert {path.suffix for path in secret} >= {".json", ".html"}
    assert [path.name for path in secret if path.stat().st_mode & 0o077] == []

    served.ask("/api/kernels", data=b"{}")
    descendants = children(served.process.pid)
    assert len(descendants) >= 2, "JupyterLab and a kernel"
    assert served.end(signal.SIGINT) == 0
    assert eventually(lambda: not any(map(alive, descendants)))
    assert not listens(served.book_port)
    assert not listens(served.lab_port)


@pytest.mark.slow
def test_a_terminal_in_jupyterlab_finds_the_course_s_commands(
    project: Path, start: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal in JupyterLab finds `dpteach`, although a login shell would reset PATH."""
    from tornado.ioloop import IOLoop
    from tornado.websocket import websocket_connect

    for name in (".profile", ".bash_profile"):
        (project / name).write_text("PATH=/usr/bin:/bin\n")
    monkeypatch.setenv("HOME", str(project))
    monkeypatch.setenv("SHELL", shutil.which("bash") or "/bin/sh")
    served = start()
    name = json.loads(served.ask("/api/terminals", data=b"{}"))["name"]
    place = f"ws://127.0.0.1:{served.lab_port}/terminals/websocket/{name}?token={served.token}"

    async def typed(line: str, awaited: str) -> str:
        socket, said = await websocket_connect(place), ""
        await socket.write_message(json.dumps(["stdin", f"{line}\r"]))
        while awaited not in said:
            kind, text = json.loads(await socket.read_message() or '["", ""]')[:2]
            said += text if kind == "stdout" else ""
        socket.close()
        return said

    ask = "dpteach --help | head -1; echo fin''ished"
    said = IOLoop().run_sync(lambda: typed(ask, "finished"), timeout=60)
    assert "usage: dpteach" in said and "not found" not in said, said


#: the addresses of nbgrader's tools: the formgrader, the lists of courses and assignments, the
#: version
TOOLS = ("/formgrader", "/formgraders", "/assignments?course_id=dpteach", "/nbgrader_version")


def answers(served: Served, path: str) -> bool:
    try:
        return bool(served.ask(path))
    except urllib.error.HTTPError as error:
        error.close()
        return error.code != 404


@pytest.mark.slow
def test_a_students_jupyterlab_has_their_own_work_and_no_answer_in_sight(
    project: Path, start: Callable[..., Served]
) -> None:
    course = project / "course_src"
    for name in ("source/topic/topic.ipynb", "assignments/topic.md", "mutants/topic/wrong.md"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text("{}")
    (course / "gradebook.db").write_text("")
    served = start()
    listing = json.loads(served.ask("/api/contents/"))
    assert sorted(entry["name"] for entry in listing["content"]) == ["chapters", "topic"]
    for name in ("source", "../source", "work", "%2e%2e/gradebook.db"):
        assert not answers(served, f"/api/contents/{name}"), name
    assert [path for path in TOOLS if answers(served, path)] == ["/nbgrader_version"]
    page = served.ask("/lab")
    for tool in ("create-assignment", "formgrader", "course-list", "assignment-list"):
        assert f'"@jupyter/nbgrader:{tool}"' in page.partition('"disabledExtensions"')[2], tool
    assert '"@jupyter/nbgrader:validate-assignment"' not in page

    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{served.book}slides/", timeout=30)

    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    teaching = start("instructor")
    assert "/lab/tree/work/demos/start.ipynb?token=" in teaching.lab
    [slides] = teaching.slides
    with urllib.request.urlopen(f"{slides}?dark", timeout=30) as answer:
        assert answer.read() == b"<title>The demos</title>"
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{slides}../../../gradebook.db", timeout=30)
    assert answers(teaching, "/api/contents/work/demos/pure_dp_coin.ipynb")
    listing = json.loads(teaching.ask("/api/contents/"))
    found = {entry["name"] for entry in listing["content"]}
    assert {"source", "assignments", "mutants", "gradebook.db", "work"} <= found
    assert answers(teaching, "/formgrader")
    assert answers(teaching, "/dpteach/marking") and not answers(served, "/dpteach/marking")
    for one in (served, teaching):
        one.end(signal.SIGTERM)
    left = [path.name for path in (project / "runtime").iterdir() if path.is_dir()]
    assert left == [], "the settings go with the server"


def settings_of(course: Path, folder: Path) -> tuple[list[str], dict[str, Any]]:
    """Write a course's settings for students to `folder`, and return two parts of them.

    These are the names of the disabled JupyterLab extensions, and nbgrader's settings.
    """
    student_settings(course, folder)
    page = json.loads((folder / "labconfig" / "page_config.json").read_text())
    left_out = [name.rpartition(":")[2] for name in page["disabledExtensions"]]
    return left_out, json.loads((folder / "nbgrader_config.json").read_text())


def test_assignment_list_is_there_where_an_exchange_is(project: Path, tmp_path: Path) -> None:
    course = project / "course_src"
    assert "assignment-list" in settings_of(course, tmp_path / "one")[0]
    (course / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'dp'\nc.HandIn.by = 'exchange'\n"
        "c.Exchange.root = '/srv/exchange'\nc.FeedbackExporter.book = 'x'\n"
    )
    left_out, nbgrader = settings_of(course, tmp_path / "two")
    assert left_out == ["create-assignment", "formgrader", "course-list", "announcements"]
    assert nbgrader == {
        "CourseDirectory": {"course_id": "dp"},
        "Exchange": {"root": "/srv/exchange", "assignment_dir": "."},
        "ExchangeFactory": {
            "fetch_assignment": "dpteach.grading.student.fetching.PersonalFetch",
        },
    }
    (course / "nbgrader_config.py").write_text("c = get_config()\nc.HandIn.by = 'post'\n")
    with pytest.raises(ServeError, match=r"c\.HandIn\.by .* 'file' or 'exchange', got .*'post'"):
        student_settings(course, tmp_path / "three")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
def test_ends_when_told_and_when_the_terminal_closes(
    start: Callable[..., Served], number: int
) -> None:
    served = start()
    descendants = children(served.process.pid)
    assert descendants
    assert served.end(number) == 0
    assert eventually(lambda: not any(map(alive, descendants)))


@pytest.mark.slow
def test_says_so_when_jupyterlab_ends_by_itself(start: Callable[..., Served]) -> None:
    served = start()
    assert served.process.stdout
    [lab] = [pid for pid in children(served.process.pid) if "jupyterlab" in command(pid)]
    os.kill(lab, signal.SIGKILL)
    assert "JupyterLab ended with exit code -9" in served.process.stdout.read()
    assert served.process.wait(30) == 1
    assert not listens(served.book_port)


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode()
    except OSError:
        return ""


@pytest.mark.slow
def test_pages_are_served_again_at_once_on_the_same_port(project: Path) -> None:
    port = a_port()
    for _ in range(2):
        server, address = serve_pages(project / "_build" / "html", "127.0.0.1", port)
        assert address == f"http://127.0.0.1:{port}/"
        # read until the server closes the connection: then its port is still reserved (TIME_WAIT)
        # when the next server starts
        with socket.create_connection(("127.0.0.1", port)) as reader:
            reader.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while reader.recv(1000):
                pass
        server.shutdown()
        server.server_close()


def test_what_a_student_writes_is_not_what_is_handed_out(project: Path) -> None:
    course = project / "course_src"
    released, mine = (course / step / "topic" for step in ("release", "work"))
    notebook, checks = mine / "topic.ipynb", mine / "checks.json"
    assert working_copies(course) == ([notebook], [])
    assert notebook.read_bytes() == (released / notebook.name).read_bytes()
    assert checks.read_text() == "{}", "without it no check runs"
    assert sorted(path.name for path in mine.iterdir()) == [checks.name, notebook.name]

    notebook.write_text("my answer")
    assert working_copies(course) == ([notebook], [])
    (released / checks.name).write_text('{"checks": {}}')
    [line] = working_copies(course)[1]
    assert "topic" in line and "\n" not in line
    assert (notebook.read_text(), checks.read_text()) == ("my answer", "{}")

    (released / "data").mkdir()
    (released / "data" / "visits.csv").write_text("1,2\n")
    mine.rename(mine.with_name("topic_old"))
    assert working_copies(course) == ([notebook], [])
    assert checks.read_text() == '{"checks": {}}'
    assert (mine / "data" / "visits.csv").read_text() == "1,2\n"


def test_the_book_s_notebooks_are_there_to_work_on(project: Path) -> None:
    pages, course = project / "_build" / "html", project / "course_src"
    book, mine = (
        folder / "divergences.ipynb"
        for folder in (pages / "_static" / "notebooks", course / "work" / "chapters")
    )
    assert chapters(pages, course) == []
    assert mine.read_text() == "{}"
    # a new version of the book's notebook replaces the user's copy, because the user has not
    # changed the copy
    book.write_text("{ }")
    assert chapters(pages, course) == []
    assert mine.read_text() == "{ }"
    mine.write_text("my notes")
    assert chapters(pages, course) == []
    book.write_text("{  }")
    for _ in range(2):
        [line] = chapters(pages, course)
        assert "divergences" in line and "\n" not in line
        assert mine.read_text() == "my notes"
    mine.rename(mine.with_name("mine.ipynb"))
    assert chapters(pages, course) == []
    assert mine.read_text() == "{  }"
    mine.unlink()
    mine.symlink_to(project / "elsewhere")
    book.write_text("{}")
    assert len(chapters(pages, course)) == 1
    assert not (project / "elsewhere").exists()


def test_an_instructor_starts_on_a_page_that_leads_to_everything(tmp_path: Path) -> None:
    course = tmp_path / "course_src"
    (course / "assignments").mkdir(parents=True)
    (course / "assignments" / "topic.md").write_text("")
    shutil.copytree(cli.PROJECT / "course_src" / "demos", course / "demos")
    start_page(course, "http://127.0.0.1:8000/", "http://127.0.0.1:8888")
    page = course / "work" / "demos" / "start.ipynb"
    [cell] = json.loads(page.read_text("utf-8"))["cells"]
    links = set(re.findall(r"\]\((\S+?)\)", cell["source"]))
    assert {f"{path.stem}.ipynb" for path in (course / "demos").glob("*.md")} < links
    assert {
        "http://127.0.0.1:8888/formgrader",
        "http://127.0.0.1:8888/dpteach/marking",
        "http://127.0.0.1:8000/book/instructors.html",
        "http://127.0.0.1:8000/slides/",
        "../../assignments/topic.md",
        "../../release/topic/topic.ipynb",
    } < links


def test_without_jupyterlab_no_link_leads_there(project: Path) -> None:
    server, address = serve_pages(project / "_build" / "html", "127.0.0.1", a_port())
    with urllib.request.urlopen(f"{address}_static/lab.js", timeout=30) as answer:
        assert answer.read() == b"// of a static host"
    server.shutdown()
    server.server_close()


def test_other_pages_do_not_learn_where_jupyterlab_is(project: Path) -> None:
    server, address = serve_pages(project / "_build" / "html", "127.0.0.1", a_port())
    server.notebooks = "http://127.0.0.1:9999/lab/tree/chapters/"
    for site, told in (("cross-site", False), ("same-site", False), ("same-origin", True)):
        asked = urllib.request.Request(f"{address}_static/lab.js")
        asked.add_header("Sec-Fetch-Site", site)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            assert (b"9999" in answer.read()) == told
            policy = answer.headers["Cross-Origin-Resource-Policy"]
            assert policy == ("same-origin" if told else None)
    server.shutdown()
    server.server_close()


def test_a_link_that_leads_nowhere_is_somebody_s_too(project: Path) -> None:
    mine = project / "course_src" / "work" / "topic" / "topic.ipynb"
    mine.parent.mkdir(parents=True)
    mine.symlink_to(project / "elsewhere")
    working_copies(project / "course_src")
    assert mine.is_symlink() and not (project / "elsewhere").exists()


def test_no_place_for_the_copies_is_said(project: Path) -> None:
    (project / "course_src" / "work").write_text("")
    with pytest.raises(ServeError, match=r"could not be .+course_src/work"):
        serve(project)


def test_cleaning_leaves_the_students_work() -> None:
    """`make clean` keeps the students' work, and git ignores that work."""
    text = (cli.PROJECT / "Makefile").read_text()
    recipe = text.partition("\nclean:")[2].partition("\n\n")[0]
    lines = [line for line in recipe.splitlines() if line.startswith("\t")]
    assert lines and not any("work" in line or "course_src/*" in line for line in lines)
    assert "course_src/work/" in (cli.PROJECT / ".gitignore").read_text().splitlines()


def test_a_port_that_is_taken_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < free_port("127.0.0.1", port) < port + 50


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_an_address_that_is_not_this_machine(host: str, project: Path) -> None:
    with pytest.raises(ServeError, match=f"HOST must be an address of this machine.*{host}"):
        serve(project, host=host)


def test_settings_are_checked_without_starting_anything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["serve", "--check"]) == 0
    assert cli.main(["serve", "--check", "--host", "192.0.2.1"]) == 2
    assert "HOST=192.0.2.1" in capsys.readouterr().err


def test_the_book_must_be_built_first(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match="make book"):
        serve(tmp_path)


@pytest.mark.parametrize("option", ["--book-port", "--lab-port"])
@pytest.mark.parametrize("value", ["", "web", "0", "-1", "65536", "8000.5", "nan"])
def test_nonsense_ports(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", f"{option}={value}"])
    assert ended.value.code == 2
    assert f"1..65535, got {value!r}" in capsys.readouterr().err


def test_the_assignment_that_is_opened_is_that_of_the_first_chapter(tmp_path: Path) -> None:
    works = [tmp_path / f"{name}.ipynb" for name in ("composition", "extra", "pure_dp")]
    (tmp_path / "_toc.yml").write_text("- file: book/pure_dp\n- file: book/composition\n")
    assert [path.stem for path in _as_read(tmp_path, works)] == [
        "pure_dp",
        "composition",
        "extra",
    ]
    assert _as_read(tmp_path / "elsewhere", works) == works
