"""Start of sandboxed processes, each of which is forked from one that has imported what it needs.

The warm process runs none of a student's code, and has no data of an exam. It has one thread, and
waits for orders. For each order it forks a process that builds the walls of a sandbox (`walls`).
Behind them, this process forks those in which students' code runs, one after the other: one that
executes the cells of a whole notebook, or one for each question that is asked alone. It waits for
the end of each, and tells the grader. So nothing that one process does can reach another: all have
copies of the warm process's memory, and what must differ, such as the state of random generators,
is made anew in each.

A process reads the grader's requests from its socket (`frames`), and answers them one by one.

The project itself cannot be imported here. `_dpteach` makes the part of ``dpteach`` that a
student's cell can import: `plain`, `observe`, and a ``check`` and a ``hand_in`` that do nothing.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import gc
import getpass
import importlib
import io
import json
import os
import resource
import signal
import site
import socket
import struct
import sys
import threading
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NoReturn

import frames  # type: ignore[import-not-found]
import walls  # type: ignore[import-not-found]

#: modules that are imported once for all processes: those that a process needs when it starts or a
#: cell fails, and those that students often import. Only submodules that are there after an import
#: of their package as well may be named here, such as ``scipy.stats``, or a cell could work in the
#: sandbox only
WARM = (
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger"),
    *("IPython.core.oinspect", "IPython.core.ultratb", "IPython.extensions.storemagic"),
    *("faulthandler", "ipykernel.zmqshell", "pygments.formatters.terminal256", "stack_data"),
    *("numpy", "scipy.integrate", "scipy.optimize", "scipy.special", "scipy.stats"),
)

#: modules for a process without IPython and scipy, which is forked in half the time
LEAN = (
    *("bisect", "cmath", "collections.abc", "copy", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "heapq", "inspect", "itertools", "math", "numbers", "operator", "statistics"),
    *("string", "typing", "numpy", "numpy.typing"),
)

#: number of written characters after which they are sent, unless the stream is flushed earlier
PIECE = 1 << 16

#: package from which cells import `plain` and `observe`
CORE = "dpteach.grading.core"

#: number of the socket, the same in every process, because a cell can show it
LINE = 3


def _restrict(limits: Mapping[str, int]) -> None:
    """Set limits, which the process cannot raise again."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        # the signal of the soft limit comes first, by which the grader recognizes the reason
        hard = value + 1 if name == "CPU" else value
        if most != resource.RLIM_INFINITY:
            hard = min(hard, most)
        resource.setrlimit(kind, (min(value, hard), hard))


def _filter(program: bytes) -> None:
    """Make this process end with its parent, and filter the system calls of all its threads."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))
    loaded = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    walls.end_with_parent()  # again, because a change of the user has ended it
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(22, 2, loaded, 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")


def _dpteach(folder: str) -> Any:
    """Make a package ``dpteach`` with the two modules that may be here; return `observe`."""

    def check(name: object = "", **more: object) -> None:
        """Does nothing: the cell is judged outside."""

    check.__module__ = "dpteach.grading"
    # the cell that makes the file to submit has nothing to do here, either
    cells = {"check": check, "hand_in": check}
    core: Any = None
    for name, found in (("dpteach", {}), (check.__module__, cells), (CORE, {})):
        core = sys.modules[name] = ModuleType(name)
        vars(core).update(found, __path__=[])
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, core)
    core.__path__ = [folder]
    observe = importlib.import_module(f"{CORE}.observe")
    core.__path__ = []
    return observe


class _Line:
    """End of the socket to the grader, in the process that answers.

    Attributes
    ----------
    executing
        Whether a cell is being executed. While a question is answered, outputs are left out.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(fileno=LINE)
        self._file = self._socket.makefile("rb")
        self._lock = threading.RLock()
        self._number, self.executing = 0, False

    def read(self) -> tuple[bytes, bytes]:
        """Return the kind and the body of the next frame; end the process with the grader."""
        try:
            kind, self._number, size = frames.HEADER.unpack(self._file.read(frames.HEADER.size))
        except (OSError, struct.error):
            os._exit(1)
        return kind, self._file.read(size)

    def tell(self, kind: bytes, body: bytes) -> None:
        """Send a frame about the present request."""
        with self._lock:
            self._socket.sendall(frames.framed(kind, self._number, body))

    def request(self, data: Any) -> Any:
        """Return the grader's reply to a request."""
        self.tell(frames.REQUEST, json.dumps(data, allow_nan=False).encode())
        return json.loads(self.read()[1])


class OutStream(io.TextIOBase):
    """The standard output or standard error of cells, under the name that it has in notebooks.

    Nothing is kept of what is written while no cell is being executed, such as by a thread.
    """

    encoding = "UTF-8"

    def __init__(self, name: str, line: _Line) -> None:
        self.name, self._line = name, line
        self._lock = threading.RLock()
        self._parts: list[str] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Keep a text until there are enough of them to be sent."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        with self._lock:
            if self._line.executing:
                self._parts.append(text)
                self._size += len(text)
            if self._size > PIECE:
                self.flush()
        return len(text)

    def flush(self) -> None:
        """Send what was written."""
        with self._lock:
            text, self._parts, self._size = "".join(self._parts), [], 0
            if text:
                output = {"output_type": "stream", "name": self.name, "text": text}
                said = json.dumps(output, ensure_ascii=False).encode("utf-8", "replace")
                self._line.tell(frames.OUTPUT, said)


def _shell() -> Any:
    """Make the shell that notebooks have, before there is a folder for it (`settle`)."""
    import pdb

    import IPython.core.debugger
    from ipykernel.compiler import XCachingCompiler
    from ipykernel.zmqshell import ZMQInteractiveShell
    from jupyter_client import session
    from traitlets.config import Config

    # without their types, which are incomplete
    debugger: Any = IPython.core.debugger
    Session: Any = session.Session
    NotebookShell: Any = ZMQInteractiveShell

    class Outputs(Session):  # type: ignore[misc]
        """Session that sends to the grader what the shell would publish through a kernel."""

        line: Any = None

        def send(self, stream: Any, message: Any, content: Any = None, *_: Any, **__: Any) -> None:
            if isinstance(message, str):
                message = self.msg(message, content)
            if self.line.executing:
                output = {**message["content"], "output_type": message["msg_type"]}
                self.line.tell(frames.OUTPUT, self.pack(output))

    class Shell(NotebookShell):  # type: ignore[misc]
        """Shell of notebooks, except that it starts no other program and no window."""

        def settle(self, line: _Line, *, alone: bool) -> None:
            """Use the socket of a new process, and a folder for settings if it executes cells."""
            if not alone:
                super().init_ipython_dir(None)
                super().init_profile_dir(None)
            self.displayhook.session.line = line
            self.streams = OutStream("stdout", line), OutStream("stderr", line)
            sys.stdout, sys.stderr = self.streams

        def init_ipython_dir(self, ipython_dir: Any) -> None:
            """Leave it to `settle`."""

        def init_profile_dir(self, profile_dir: Any) -> None:
            """Leave it to `settle`."""

        def enable_gui(self, gui: Any = None) -> None:
            """Do nothing: there is no window in which a figure could be shown."""

        def ask_exit(self) -> None:
            """Do nothing: the cells after one that calls ``exit()`` are executed, too."""

        def system(self, command: str, *args: object, **kwargs: object) -> list[str]:
            """Print that no other program can run here.

            In a notebook, a line such as ``!pip install numpy`` raises no error, and so must not
            end the cell here.
            """
            print(f"not run, no other program is here: {command}")
            return []

        getoutput = system

    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.IPCompleter.use_jedi = False
    shell: Any = Shell.instance(config=config, compiler_class=XCachingCompiler)
    shell.displayhook.session = shell.display_pub.session = Outputs(key=b"")
    shell.extension_manager.load_extension("storemagic")
    shell.user_ns_hidden.update(shell.user_ns)
    # the debuggers that notebooks use
    pdb.Pdb = debugger.Pdb = debugger.InterruptiblePdb  # type: ignore[misc]
    pdb.set_trace = debugger.set_trace
    return shell


def _refused(name: str) -> Callable[..., NoReturn]:
    """Return a function that raises the error of notebooks without a person to ask."""

    def refused(*args: object, **kwargs: object) -> NoReturn:
        from IPython.core.error import StdinNotImplementedError

        raise StdinNotImplementedError(
            f"{name} was called, but this frontend does not support input requests."
        )

    return refused


async def _executed(shell: Any, source: str) -> bytes:
    """Execute a cell as ipykernel does; return ``ok``, or ``error`` if it has raised one."""
    from asyncio import sleep

    await sleep(0)  # lets the tasks run that an earlier cell has left to the event loop
    cell, before = None, (builtins.input, getpass.getpass)
    with contextlib.suppress(Exception):  # `run_cell` shows what is wrong
        cell = shell.transform_cell(source)
    builtins.input, getpass.getpass = _refused("raw_input"), _refused("getpass")
    try:
        if cell is not None and shell.should_run_async(source, transformed_cell=cell):
            done = await shell.run_cell_async(source, store_history=True, transformed_cell=cell)
            shell.events.trigger("post_execute")
            shell.events.trigger("post_run_cell", done)
        else:
            done = shell.run_cell(source, store_history=True)
    finally:
        builtins.input, getpass.getpass = before
        shell.payload_manager.clear_payload()
        for stream in shell.streams:
            stream.flush()
    fine = done.success and not getattr(shell, "_last_traceback_during_displayhook", False)
    return b"ok" if fine else b"error"


async def _serve(line: _Line, shell: Any, observer: Any) -> None:
    """Answer the grader's requests one at a time; only cells need an event loop."""
    python = str if shell is None else shell.transform_cell  # cells of a lean process are Python
    while True:
        kind, body = line.read()
        line.executing = kind == frames.CELL
        text = body.decode("utf-8", "surrogatepass")
        try:
            if line.executing:
                answer = await _executed(shell, text)
            else:
                answer = observer.answer(text, python, line.request).encode()
        except BaseException:  # a student's code can raise any class of error
            answer = b"error"
        line.executing = False
        line.tell(frames.ANSWER, answer)


def _numbered(line: int) -> None:
    """Give the socket its number, and close all other descriptors that are still open."""
    if line != LINE:
        os.dup2(line, LINE, inheritable=False)
    os.closerange(LINE + 1, 256)


def _warm(common: Mapping[str, Any]) -> tuple[Any, Any]:
    """Import and make what processes need; return the shell (None if lean) and `observe`."""
    sys.path += common["site"]
    site.sethelper()
    site.setquit()
    for name in LEAN if common["lean"] else WARM:
        with contextlib.suppress(ImportError):  # a course may do without some of them
            importlib.import_module(name)
    observer = _dpteach(common["core"])
    if common["lean"]:
        # a cell must not see this module's names, which would be in ``__main__``
        sys.modules["__main__"] = ModuleType("__main__")
    shell = None if common["lean"] else _shell()
    for name in ("frames", "launcher", "walls"):  # so that a student's module may have such a name
        del sys.modules[name]
    # excluded from garbage collection in the forked processes, so that this memory remains shared
    gc.collect()
    gc.freeze()
    return shell, observer


def _orders(told: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read orders: a line of JSON, then the files of data."""
    with open(told, "rb") as file:
        file.seek(0)
        orders = json.loads(file.readline())
        return orders, {name: file.read(size) for name, size in orders["data"].items()}


def _forked(control: socket.socket) -> tuple[dict[str, Any], int]:
    """Fork a process for each order that arrives, which returns as `_behind_walls` does."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system then reaps ended processes
    while True:
        said, descriptors, _, _ = socket.recv_fds(control, 16, 16)
        if not said:
            sys.exit()  # the grader has gone
        if os.fork() == 0:
            walls.end_with_parent()
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _behind_walls(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _behind_walls(line: int, error: int, told: int) -> tuple[dict[str, Any], int]:
    """Fork a process behind walls for each socket that arrives, and return in each of them.

    Each begins after the one before has ended, and finds no trace of it, because this process runs
    none of a student's code and each has a folder, a number and memory of its own. What all of them
    need is made here once.

    Returns
    -------
    dict, int
        The orders, and the socket.
    """
    os.dup2(error, 2)
    os.close(error)
    try:
        orders, data = _orders(told)
        os.setsid()
        if orders["walls"]:
            walls.apart(root=orders["user"] is not None)
            if orders["alone"]:
                walls.hide_processes()
        os.environ.update(orders["environment"])
        _anew()
        with socket.socket(fileno=line) as speaking:
            while True:
                said, sockets, _, _ = socket.recv_fds(speaking, 16, 1)
                if not said:
                    os._exit(0)
                process, disk = _behind(orders, data)
                if process == 0:
                    return orders, sockets[0]
                # the grader sees the end of a process by its socket
                os.close(sockets[0])
                _tell_of(process, disk, speaking)
                _tell_of_the_end(process, speaking)
    except (OSError, walls.WallError) as failed:
        os.write(2, f"walls: {failed}\n".encode())
        os._exit(1)


def _behind(orders: dict[str, Any], data: Mapping[str, bytes]) -> tuple[int, int]:
    """Fork a process without any rights; return its number, 0 in itself, and its new folder."""
    if orders["walls"]:
        size = orders["disk_bytes"] + sum(map(len, data.values()))
        walls.empty(disk_bytes=size, disk_files=2 * orders["disk_files"])
    os.chdir(orders["home"])
    for name, content in data.items():
        _lay_down(name, content, orders["walls"])
    disk = os.open(".", os.O_PATH | os.O_DIRECTORY)
    process = walls.fork() if orders["walls"] else os.fork()
    if process == 0:
        os.setsid()
        if orders["walls"]:
            if not orders["alone"]:
                walls.show_processes()
            walls.enter(orders["user"])
    return process, disk


def _tell_of(process: int, disk: int, speaking: socket.socket) -> None:
    """Send the grader handles of a process, of this process, and of the folder of the cells."""
    handles = os.pidfd_open(process), os.pidfd_open(os.getpid()), disk
    socket.send_fds(speaking, [str(process).encode()], handles)
    for handle in handles:
        os.close(handle)


def _tell_of_the_end(process: int, speaking: socket.socket) -> None:
    """Wait for the end of a process; tell the grader its exit code and processor time."""
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    speaking.send(json.dumps([code, used.ru_utime + used.ru_stime]).encode())


def _lay_down(name: str, content: bytes, walled: bool) -> None:
    """Write a file of data into the folder of the cells."""
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(content)
    os.chmod(name, 0o444)
    if walled:
        walls.fix(os.path.abspath(name))


def _anew() -> None:
    """Make anew the state that two sandboxes must not share and that a fork copies.

    Python's own generator of random numbers, and OpenSSL's, notice a fork by themselves.
    """
    with contextlib.suppress(ImportError):
        import numpy as np

        np.random.seed()  # noqa: NPY002


def _silence() -> None:
    """Connect standard input, output and error to a ``/dev/null`` that this process has opened."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def main() -> None:
    """Be the warm process; then, in each process behind walls, restrict it and answer requests."""
    walls.end_with_parent()
    control = socket.socket(fileno=int(sys.argv[2]))
    common = json.loads(control.recv(1 << 16))
    shell, observer = _warm(common)
    _silence()
    control.send(b"ready")
    orders, line = _forked(control)

    _numbered(line)
    _restrict(orders["limits"])
    if common["filter"]:
        _filter(bytes.fromhex(common["filter"]))
    sys.path[0] = ""  # what a cell has written can be imported, as in every notebook
    speaking = _Line()
    if shell is not None:
        shell.settle(speaking, alone=orders["alone"])
    # descriptors that were opened before the fork would share their flags with every sandbox
    _silence()
    serving = _serve(speaking, shell, observer)
    if orders["alone"]:
        serving.send(None)
    import asyncio

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(serving)
