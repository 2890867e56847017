"""The course's server for one user: it shows the built book, and the assignments in JupyterLab.

A student's JupyterLab shows only the folder ``work/`` of the course, with the student's own copies
of the assignments, and offers nbgrader's tools for students. An instructor's JupyterLab shows the
whole course, with solutions and gradebook, and offers Formgrader.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from dpteach._language import catalog
from dpteach.building import Building
from dpteach.grading.core.command import error_words
from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.course.folder import SETTINGS, CourseError, course_settings, setting
from dpteach.grading.course.store import FOLDER
from dpteach.grading.course.versions import SEED, Versions
from dpteach.grading.student.files import StudentError
from dpteach.grading.student.mine import login, mine

_, _n = catalog("cli")

#: the signals that end the server: Ctrl-C, a request to terminate, and a closed terminal
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
#: the largest number of ports that are tried, from the requested port upwards, until one is free
PORTS_TRIED = 50


class ServeError(RuntimeError):
    """An error that says in one line why the course cannot be served."""


#: JavaScript for the book's pages: it shows the links to notebooks, which are hidden by default,
#: and makes these links open the notebooks in JupyterLab
LAB_SCRIPT = """\
for (const link of document.querySelectorAll("a[data-notebook]")) {{
  link.href = {address} + link.dataset.notebook;
  link.hidden = false;
}}
"""

#: the path below which the book's server offers the slides to an instructor
SLIDES_PATH: Final = "/slides/"


class _Pages(http.server.SimpleHTTPRequestHandler):
    """The handler of requests for the book's pages, the slides and the links to JupyterLab."""

    server: _Server

    def do_GET(self) -> None:
        building = self.server.building
        if building is not None and self.answered(building):
            return
        address = getattr(self.server, "notebooks", "")
        # send JupyterLab's address only to the book's own pages, because any website may load this
        # script
        if self.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            address = ""
        if not address or self.path.partition("?")[0] != "/_static/lab.js":
            super().do_GET()
            return
        self.answer(LAB_SCRIPT.format(address=json.dumps(address)), "text/javascript")

    def answered(self, building: Building) -> bool:
        """Send a page while the build runs or after it failed; return whether a page was sent.

        A page that is already built is sent with a notice about the build. In place of a page or a
        PDF that is not yet built, a placeholder is sent. Requests for a PDF that is already built
        or for other files, and all requests after a successful build, are left to the caller.
        """
        self.directory = str(building.pages())
        notice = building.notice()
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        ready = path.suffix == ".pdf" and path.is_file()
        if not notice or ready or path.suffix not in (".html", ".pdf"):
            return False
        try:
            page = path.read_text("utf-8")
        except OSError:
            self.answer(building.placeholder(), "text/html", http.HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self.answer(page.replace("</body>", f"{notice}</body>"), "text/html")
        return True

    def answer(self, text: str, kind: str, status: http.HTTPStatus = http.HTTPStatus.OK) -> None:
        """Send a text of a given media type, and forbid browsers to store it."""
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        # this header forbids pages of other sites to load the text. `do_GET` recognizes such pages
        # by the header Sec-Fetch-Site of the request, but old browsers do not send it
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(data)

    def translate_path(self, path: str) -> str:
        """Return the file for the path of a URL; paths below `SLIDES_PATH` lead to the slides."""
        slides = getattr(self.server, "slides", None)
        if slides is None or not path.startswith(SLIDES_PATH):
            return super().translate_path(path)
        kept, self.directory = self.directory, str(slides)
        try:
            return super().translate_path(path.removeprefix(SLIDES_PATH.rstrip("/")))
        finally:
            self.directory = kept

    def log_message(self, format: str, *args: Any) -> None:
        # print nothing, because a line per request would hide the printed addresses of book and
        # course
        pass


class _Server(http.server.ThreadingHTTPServer):
    """The HTTP server of the book's pages and, for an instructor, of the slides."""

    daemon_threads = True
    #: the address below which JupyterLab opens the book's notebooks; empty until it is known
    notebooks = ""
    #: the build of the pages that are served; None if nothing is being built
    building: Building | None = None
    #: the folder of the slides; None if they are not served
    slides: Path | None = None
    # on POSIX, this option allows a port that was closed a moment ago, but not a port in use; on
    # Windows it would also allow a port in use
    allow_reuse_address = os.name == "posix"

    def __init__(self, host: str, port: int, folder: Path) -> None:
        self.address_family = _family(host)
        super().__init__((host, port), functools.partial(_Pages, directory=str(folder)))

    def handle_error(self, request: Any, client_address: Any) -> None:
        # print nothing, because usually the error is only that a reader left while a page was
        # loading
        pass


def _family(host: str) -> socket.AddressFamily:
    """Return the socket family of a host's address, IPv4 or IPv6."""
    try:
        return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
    except (socket.gaierror, UnicodeError) as error:
        raise _wrong_host(host) from error


def _wrong_host(host: str) -> ServeError:
    return ServeError(_("HOST must be an address of this machine, got HOST={host}", host=host))


def free_port(host: str, port: int) -> int:
    """Return the first port, from `port` upwards, that is free at the address `host`.

    Raises
    ------
    ServeError
        If this machine has no such address, if the 50 ports from `port` upwards are in use, or if
        the user's account may not use a port.
    """
    family = _family(host)
    last = min(port + PORTS_TRIED, 65536)
    for candidate in range(port, last):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if _Server.allow_reuse_address:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
                probe.listen()
            except PermissionError as error:
                raise ServeError(
                    _(
                        "your account may not use port {port}; choose a port from 1024 upwards",
                        port=candidate,
                    )
                ) from error
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL:
                    raise _wrong_host(host) from error
            else:
                return candidate
    raise ServeError(
        _(
            "no port from {first} to {last} is free on {host}",
            first=port,
            last=last - 1,
            host=host,
        )
    )


def serve_pages(folder: Path, host: str, port: int) -> tuple[_Server, str]:
    """Start a thread that serves the files of a folder; return the server and its address."""
    while True:
        port = free_port(host, port)
        try:
            server = _Server(host, port, folder)
            break
        except OSError:
            # another process took the port after `free_port` returned, so try the next port
            port += 1
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://{f'[{host}]' if ':' in host else host}:{port}/"


@dataclass
class _Lab:
    """A JupyterLab process in its own process group; its output goes to the file `messages`."""

    process: subprocess.Popen[bytes]
    messages: Path
    #: the folder of settings that are written only for this process, and deleted when it stops
    settings: Path
    url: str = ""
    token: str = ""

    def last_words(self) -> str:
        """Return the exit code and the last 20 log lines of a JupyterLab that ended by itself."""
        lines = self.messages.read_text("utf-8", "replace").splitlines()[-20:]
        ended = _("JupyterLab ended with exit code {code}:", code=self.process.returncode)
        return "\n".join([ended, *lines])

    def stop(self) -> None:
        """Stop JupyterLab and its kernels, and delete its log and settings."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                # JupyterLab did not end within 15 seconds, so kill it; its kernels end when they
                # notice that their parent process is gone
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.messages.unlink(missing_ok=True)
        shutil.rmtree(self.settings, ignore_errors=True)


def working_copies(course: Path, only: str = "*") -> tuple[list[Path], list[str]]:
    """Copy released assignments to the student's folder ``work``, without overwriting files.

    Every build replaces the files of the release. The copy in ``work/NAME`` belongs to the student,
    so a file that exists there is never overwritten.

    Parameters
    ----------
    course : Path
        The folder with ``release/NAME/``.
    only : str
        The name of the assignment to copy; by default all assignments are copied.

    Returns
    -------
    list of Path, list of str
        The notebooks to open, and a message for each assignment whose release has changed since it
        was copied, or of which this user's version, with individual numbers, could not be found.

    Raises
    ------
    ServeError
        If a copy cannot be made.
    """
    work = course / "work"
    record = work / ".released.json"
    try:
        copied = dict(json.loads(record.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        copied = {}
    before, notebooks, lines = dict(copied), [], []
    try:
        for folder in sorted(path for path in (course / "release").glob(only) if path.is_dir()):
            changed, new = False, False
            for file in _released(folder):
                name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
                data = file.read_bytes()
                digest = hashlib.sha256(data).hexdigest()
                if not os.path.lexists(work / name):
                    _write_new(work / name, data)
                    copied[name] = digest
                    new = True
                # ignore the file with the students' individual versions of the assignment: it
                # changes with every new student, although the assignment stays the same
                if file.name != VERSIONS:
                    changed |= copied.get(name, digest) != digest
                if file.suffix == ".ipynb":
                    notebooks.append(work / name)
            if new and (folder / VERSIONS).is_file():
                try:
                    if (course / FOLDER / SEED).is_file():
                        # a token selects a user's version of the assignment. Only the instructor's
                        # course has the seed from which tokens are computed, so compute the local
                        # user's token here; a student's copy of the course contains its token
                        Versions(course, folder.name).write_token(work, login())
                    mine(work / folder.name / f"{folder.name}.ipynb")
                except (StudentError, CourseError) as error:
                    lines.append(
                        _(
                            "work/{name} does not have your own numbers yet, because your version "
                            "could not be found ({account} is your account): {error}",
                            name=folder.name,
                            account=login(),
                            error=error,
                        )
                    )
            if changed:
                lines.append(
                    _(
                        "A new release of {name} exists. Your work in work/{name} was not changed; "
                        "rename that folder to get a copy of the new release.",
                        name=folder.name,
                    )
                )
        if copied != before:
            record.write_text(json.dumps(copied, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise ServeError(
            _(
                "the assignments could not be copied to the folder {folder}: {error}",
                folder=work,
                error=error_words(error),
            )
        ) from error
    return notebooks, lines


def _released(folder: Path) -> list[Path]:
    """Return the files of a released assignment, also in subfolders, except for hidden files."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )


def _as_read(project: Path, notebooks: list[Path]) -> list[Path]:
    """Return notebooks in the order of the chapters; notebooks without a chapter come last."""
    from dpteach.demos import chapters as pages_of

    pages = pages_of(project) if (project / "_toc.yml").is_file() else []
    places = {name: i for i, name in enumerate(pages)}
    return sorted(notebooks, key=lambda path: (places.get(path.stem, len(places)), path.name))


def chapters(pages: Path, course: Path) -> list[str]:
    """Copy the book's notebooks to ``work/chapters``, so that readers can edit and run them.

    Parameters
    ----------
    pages, course : Path
        The folders of the built book and of the course.

    Returns
    -------
    list of str
        A message for each notebook that both the reader and the book have changed; the reader's
        copy is kept.

    Raises
    ------
    ServeError
        If a copy cannot be made.
    """
    return _copies(pages / "_static" / "notebooks", course / "work" / "chapters")


def demos(slides: Path, course: Path) -> list[str]:
    """Copy the notebooks of the lecture demos to ``work/demos``, in the same way as `chapters`.

    Parameters
    ----------
    slides, course : Path
        The folders of the built slides and of the course.
    """
    return _copies(slides / "notebooks", course / "work" / "demos")


#: the notebook that an instructor's JupyterLab opens first, relative to the course's folder
START: Final = "work/demos/start.ipynb"


def start_page(course: Path, book: str, lab: str) -> None:
    """Write the notebook with links to demos, Formgrader, assignments and the instructors' guide.

    Parameters
    ----------
    course : Path
        The course's folder.
    book, lab : str
        The addresses of the book and of JupyterLab.
    """
    from dpteach.demos import demos as texts

    names = sorted(path.stem for path in (course / "assignments").glob("*.md"))
    lines = [
        "# " + _("Teaching this course"),
        "- "
        + _(
            "[Grade in the Formgrader]({address}), also in the menu *Nbgrader*",
            address=f"{lab}/formgrader",
        ),
        "- "
        + _(
            "[Mark written answers by hand]({address}), question by question",
            address=f"{lab}/{MARKING_PATH}",
        ),
        "- "
        + _(
            "[Read the instructor's guide]({address})",
            address=f"{book}book/instructors.html",
        ),
        "- "
        + _(
            "[Show the slides of the demos]({address})",
            address=f"{book.rstrip('/')}{SLIDES_PATH}",
        ),
        "## " + _("Demos for lectures"),
        _("Each link opens a notebook, which exists as soon as the slides are built."),
        "\n".join(
            "- "
            + _n(
                "[{title}]({file}), {count:g} minute",
                "[{title}]({file}), {count:g} minutes",
                demo.minutes,
                title=demo.title,
                file=f"{demo.name}.ipynb",
            )
            for demo in texts(*[folder for folder in [course / "demos"] if folder.is_dir()])
        ),
        "## " + _("Assignments"),
        _(
            "Each assignment has a text, from which everything else is built, a notebook with "
            "solutions, and the notebook that students get."
        ),
        "\n".join(
            "- "
            + _(
                "{name}: [text](../../assignments/{name}.md), "
                "[notebook with solutions](../../source/{name}/{name}.ipynb), "
                "[release](../../release/{name}/{name}.ipynb)",
                name=name,
            )
            for name in names
        ),
    ]
    cell = {"id": "start", "cell_type": "markdown", "metadata": {}, "source": "\n\n".join(lines)}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}}
    page = course / START
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5}), "utf-8")
    except OSError as error:
        raise ServeError(
            _("the start page could not be written: {error}", error=error_words(error))
        ) from error


def _copies(source: Path, folder: Path) -> list[str]:
    """Copy notebooks to a reader's folder, but keep copies that the reader has edited.

    Return a message for each notebook that has changed both in `source` and in the reader's copy.
    """
    record = folder / ".copied.json"
    try:
        copied = dict(json.loads(record.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        copied = {}
    lines = []
    try:
        for file in sorted(source.glob("*.ipynb")):
            data, target = file.read_bytes(), folder / file.name
            digest = hashlib.sha256(data).hexdigest()
            if copied.get(file.name) == digest and target.exists():
                continue
            if os.path.lexists(target):
                own = target.is_symlink() or (
                    hashlib.sha256(target.read_bytes()).hexdigest() != copied.get(file.name, digest)
                )
                if own:
                    lines.append(
                        _(
                            "A new version of the notebook work/{path} exists. Your edited copy "
                            "was not changed; rename it to get the new version.",
                            path=f"{folder.name}/{file.name}",
                        )
                    )
                    continue
                target.unlink()
            _write_new(target, data)
            copied[file.name] = digest
        if copied:
            record.write_text(json.dumps(copied, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise ServeError(
            _(
                "the notebooks could not be copied to the folder {folder}: {error}",
                folder=folder,
                error=error_words(error),
            )
        ) from error
    return lines


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file, either completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.rename(path)


#: extensions of nbgrader that students do not need: first extensions of JupyterLab, then of
#: Jupyter's server
_INSTRUCTORS: Final = (
    ("create-assignment", "formgrader", "course-list"),
    ("formgrader", "course_list"),
)
#: the class with which nbgrader fetches an assignment; each student gets a version of the
#: assignment with their own numbers
FETCH: Final = "dpteach.grading.student.fetching.PersonalFetch"
#: the extension of Jupyter's server that provides the page on which instructors mark answers, and
#: the path of this page
MARKING: Final = "dpteach.term.marking"
MARKING_PATH: Final = "dpteach/marking"
#: extensions of nbgrader that are useless without nbgrader's exchange, a shared folder for
#: assignments: first extensions of JupyterLab, then of Jupyter's server
_EXCHANGE: Final = (("assignment-list", "menu"), ("assignment_list",))


#: the plugin of JupyterLab that asks at the first start whether it may fetch news
_NEWS: Final = "@jupyterlab/apputils-extension:announcements"


def student_extensions(*, exchange: bool) -> dict[str, dict[str, Any]]:
    """Return the settings that turn off the extensions of JupyterLab that students do not need.

    Parameters
    ----------
    exchange
        Whether students fetch and submit assignments by nbgrader's exchange.

    Returns
    -------
    dict
        The data of each settings file by its path in one of Jupyter's folders of settings.
    """
    groups = (_INSTRUCTORS,) if exchange else (_INSTRUCTORS, _EXCHANGE)
    lab = {f"@jupyter/nbgrader:{name}": True for names, _ in groups for name in names}
    server = {f"nbgrader.server_extensions.{name}": False for _, names in groups for name in names}
    return {
        "labconfig/page_config.json": {"disabledExtensions": {**lab, _NEWS: True}},
        "jupyter_server_config.json": {"ServerApp": {"jpserver_extensions": server}},
    }


def student_settings(course: Path, folder: Path) -> None:
    """Write the settings of a student's JupyterLab to a folder where Jupyter finds them.

    Only two of the course's own settings are copied, because submitting needs them: the settings of
    the exchange and the id of the course.

    Raises
    ------
    ServeError
        If the course's settings cannot be used.
    """
    try:
        found = course_settings(course) if (course / SETTINGS).is_file() else {}
        settings = student_extensions(exchange=setting(found, "HandIn.by") == "exchange")
    except CourseError as error:
        raise ServeError(str(error)) from None
    nbgrader = {
        "CourseDirectory": {"course_id": found.get("CourseDirectory", {}).get("course_id", "")},
        "Exchange": {**found.get("Exchange", {}), "assignment_dir": "."},
        "ExchangeFactory": {"fetch_assignment": FETCH},
    }
    for name, data in {**settings, "nbgrader_config.json": nbgrader}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def instructor_settings(folder: Path) -> None:
    """Write the settings of an instructor's JupyterLab, which enable the page to mark answers."""
    server = {"ServerApp": {"jpserver_extensions": {MARKING: True}}}
    (folder / "jupyter_server_config.json").write_text(json.dumps(server) + "\n", "utf-8")


def _private(folder: Path) -> Path:
    """Create a folder that no other user can enter, or make an existing folder private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise ServeError(
            _(
                "no private folder for JupyterLab could be made: {error}",
                error=error_words(error),
            )
        ) from error
    return folder


def _start_lab(
    course: Path, host: str, port: int, asked: threading.Event, *, instructor: bool, project: Path
) -> _Lab:
    """Start JupyterLab; the returned object has no address if the user ended the server meanwhile.

    The event `asked` is set when the user asks to end the server. For a course outside of the clone
    `project`, the clone's settings of JupyterLab apply wherever the course has none.
    """
    from jupyter_core.paths import jupyter_runtime_dir

    root = course if instructor else course / "work"
    try:
        root.mkdir(exist_ok=True)
    except OSError as error:
        raise ServeError(
            _("the folder to work in could not be made: {error}", error=error_words(error))
        ) from error
    command = [
        sys.executable,
        *("-m", "jupyterlab", "--no-browser", "--log-level=ERROR"),
        f"--ServerApp.ip={host}",
        f"--ServerApp.port={free_port(host, port)}",
        f"--ServerApp.port_retries={PORTS_TRIED}",
        f"--ServerApp.root_dir={root}",
        # prevent requests to other hosts: these options turn off news (see also jupyter/labconfig
        # of the course) and the search for updates
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
        # this option turns off the list of extensions, which comes from another host
        "--LabApp.extension_manager=readonly",
    ]
    # terminals in JupyterLab start login shells by default, which would reset PATH, so set a plain
    # shell
    if os.name == "posix":
        shell = os.environ.get("SHELL") or "/bin/sh"
        command.append(f"--ServerApp.terminado_settings={dict(shell_command=[shell])}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    runtime = _private(Path(jupyter_runtime_dir()))
    messages = runtime / f"course-{os.getpid()}.log"
    jupyter = [str(folder / "jupyter") for folder in (course, project / "course_src")]
    settings = [*jupyter, *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    own = _private(runtime / f"course-{os.getpid()}")
    if instructor:
        instructor_settings(own)
    else:
        student_settings(course, own)
    settings.insert(0, str(own))
    # extend PATH, so that a terminal in JupyterLab finds the commands of the course
    tools = [str(Path(sys.executable).parent), *filter(None, [os.environ.get("PATH")])]
    messages.unlink(missing_ok=True)
    messages.touch(0o600)
    with messages.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=os.environ
            | {"JUPYTER_CONFIG_PATH": os.pathsep.join(settings), "PATH": os.pathsep.join(tools)},
            start_new_session=True,
            stdout=file,
            stderr=file,
        )
    lab = _Lab(process, messages, own)
    # create the file into which Jupyter writes its token before Jupyter does, because Jupyter
    # would make the file readable for all users
    (runtime / f"jpserver-{process.pid}-open.html").touch(0o600)
    try:
        information = runtime / f"jpserver-{process.pid}.json"
        deadline = time.monotonic() + 90
        while not asked.wait(0.1):
            if process.poll() is not None:
                raise ServeError(lab.last_words())
            if time.monotonic() > deadline:
                raise ServeError("JupyterLab did not start within 90 seconds")
            try:
                found = json.loads(information.read_text())
                # test a connection, because Jupyter writes the file shortly before it accepts
                # connections
                socket.create_connection((found["hostname"], found["port"]), 1).close()
                lab.url, lab.token = found["url"], found["token"]
                break
            except (OSError, ValueError):
                continue
    except BaseException:
        lab.stop()
        raise
    return lab


def serve(
    project: Path,
    *,
    course: Path | None = None,
    host: str = "127.0.0.1",
    book_port: int = 8000,
    lab_port: int = 8888,
    instructor: bool = False,
    build: bool = False,
    say: Callable[[str], None] = print,
) -> int:
    """Serve the book and the course until Ctrl-C, then end all processes started here.

    Parameters
    ----------
    project : Path
        The root of the project, with the built book and the built assignments.
    course : Path, optional
        The folder of the course; by default ``course_src`` of the project.
    host : str
        The address to bind; by default only this machine can connect.
    book_port, lab_port : int
        The first ports to try; if they are in use, the next free ones are taken.
    instructor : bool
        Whether JupyterLab shows the whole course instead of only a student's work.
    build : bool
        Whether to build everything that is out of date, by make, while serving.
    say : callable
        A function that shows a line of text to the user.

    Returns
    -------
    int
        0 after Ctrl-C, 1 if JupyterLab ended by itself or the build failed.

    Raises
    ------
    ServeError
        If the book is not built, the address or the ports cannot be used, or the working copies
        cannot be written.
    """
    outside = None if course is None else course.resolve()
    if outside == project / "course_src":
        outside = None
    pages, course = project / "_build" / "html", outside or project / "course_src"
    slides = project / "_build" / "slides"
    if not build and not (pages / "index.html").is_file():
        raise ServeError(_("the book is not built yet: run `make book` first"))
    building = Building(project, course=outside, slides=instructor) if build else None
    asked = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        asked.set()

    previous = {s: signal.signal(s, on_signal) for s in SIGNALS}
    server, book_address = serve_pages(pages, host, book_port)
    server.building = building
    if building is not None and not building.done:
        say(
            _(
                "The build's progress is shown here, and at {address}",
                address=book_address,
            )
        )
    try:
        lab = _start_lab(course, host, lab_port, asked, instructor=instructor, project=project)
        try:
            lab_address = lab.url.rstrip("/")
            root = course if instructor else course / "work"
            place = (course / "work" / "chapters").relative_to(root).as_posix()
            server.notebooks = lab_address and f"{lab_address}/lab/tree/{place}/"

            def show() -> None:
                """Copy the notebooks to ``work``, and print the addresses of book and course."""
                whole = building is None or building.whole
                only = "*" if building is None or building.whole else building.first
                notebooks, changed = working_copies(course, only)
                changed += chapters(building.pages() if building else pages, course)
                if whole and instructor:
                    changed += demos(slides, course)
                if instructor:
                    server.slides = slides
                    start_page(course, book_address, lab_address)
                first = [course / START] if instructor else _as_read(project, notebooks)[:1]
                page = "".join(f"/tree/{path.relative_to(root).as_posix()}" for path in first)
                say(_("The book:      {address}", address=book_address))
                lab_page = f"{lab_address}/lab{page}?token={lab.token}"
                say(_("The course:    {address}", address=lab_page))
                if instructor:
                    slides_address = f"{book_address.rstrip('/')}{SLIDES_PATH}"
                    say(_("The slides:    {address}", address=slides_address))
                say(_("The log of JupyterLab: {file}", file=lab.messages))
                for line in changed:
                    say(line)
                say(_("Press Ctrl-C to end both."))

            shown, said = 0, ""
            while not asked.wait(0.3):
                if lab.process.poll() is not None:
                    say(lab.last_words())
                    return 1
                ready = 2 if building is None or building.done else int(building.first_ready)
                if ready > shown:
                    shown = ready
                    show()
                if building is not None and building.status() != said:
                    said = building.status()
                    say(said)
            # ignore an error from printing, which fails if the terminal was closed
            with contextlib.suppress(OSError):
                say(_("Ending the book's server and JupyterLab ..."))
            return int(building is not None and bool(building.error))
        finally:
            lab.stop()
    finally:
        if building is not None:
            building.end()
        server.shutdown()
        server.server_close()
        for number, handler in previous.items():
            signal.signal(number, handler)
