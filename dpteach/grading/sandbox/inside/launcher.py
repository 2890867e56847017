"""The program of the warm process, and of the sandboxed processes that are forked from it.

The warm process imports the libraries once, runs no student's code, and never receives the right
answers to exercises. It waits for orders. For each order it forks a second process, which makes the
namespaces and mounts of a sandbox (`walls`). The second process forks the kernels, one after the
other. A kernel is a process in which students' code runs: it executes the cells of a whole
notebook, or answers a single question about a function. The second process waits for the end of
each kernel, and reports it to the grader. No kernel can influence another one, because each has its
own copy of the warm process's memory. State that must differ between kernels, such as that of
random generators, is made anew after a fork.

A kernel reads the grader's requests from its socket (`frames`), and answers them one by one.

The package dpteach does not exist in the sandbox. `_dpteach` makes a substitute with ``check`` and
``hand_in``, which students' cells import and which do nothing here, and with two modules for this
program: `observe`, which answers the questions about functions, and `plain`, which `observe` needs.
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

#: the modules that the warm process imports once for all kernels (the processes for students'
#: code): modules that a kernel needs at its start or when a cell fails, and modules that students
#: often import. A submodule may be listed only if an import of its package suffices to use it, as
#: for ``scipy.stats``. Otherwise a cell that forgets to import the submodule would work only in the
#: sandbox
WARM = (
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger"),
    *("IPython.core.oinspect", "IPython.core.ultratb", "IPython.extensions.storemagic"),
    *("faulthandler", "ipykernel.zmqshell", "pygments.formatters.terminal256", "stack_data"),
    *("numpy", "scipy.integrate", "scipy.optimize", "scipy.special", "scipy.stats"),
)

#: the modules that the warm process imports if the kernels that are forked from it need neither
#: IPython nor scipy. A fork then takes only half as long
LEAN = (
    *("bisect", "cmath", "collections.abc", "copy", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "heapq", "inspect", "itertools", "math", "numbers", "operator", "statistics"),
    *("string", "typing", "numpy", "numpy.typing"),
)

#: the number of characters of stored text above which `OutStream` sends the text to the grader
#: without waiting for a flush
PIECE = 1 << 16

#: the package from which this program imports the modules `plain` and `observe`
CORE = "dpteach.grading.core"

#: the file descriptor, in a student's process, of the socket to the grader. The number is fixed
#: because a cell can print it, and results must be the same in every run
LINE = 3


def _restrict(limits: Mapping[str, int]) -> None:
    """Set this process's resource limits, which it cannot raise later."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        # at the soft limit on processor time, a signal ends the process and tells the grader the
        # reason; the hard limit, a second later, kills a process that ignored the signal
        hard = value + 1 if name == "CPU" else value
        if most != resource.RLIM_INFINITY:
            hard = min(hard, most)
        resource.setrlimit(kind, (min(value, hard), hard))


def _filter(program: bytes) -> None:
    """Load a seccomp filter of system calls, and make this process end with its parent."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))
    loaded = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    # `end_with_parent` was called before, but a change of the user cancels its effect
    walls.end_with_parent()
    if libc.prctl(38, 1, 0, 0, 0):  # 38 is PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(22, 2, loaded, 0, 0):  # 22 is PR_SET_SECCOMP, 2 is SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")


def _dpteach(folder: str) -> Any:
    """Make a small substitute for the package dpteach, and return its module `observe`."""

    def check(name: object = "", **more: object) -> None:
        """Do nothing, because the grader judges the student's answers outside of the sandbox."""

    check.__module__ = "dpteach.grading"
    # a notebook's last cell calls `hand_in`. In a student's notebook, `hand_in` makes the file to
    # submit; in the sandbox, it must do nothing
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
    """The kernel's end of the socket to the grader.

    Attributes
    ----------
    executing
        Whether a cell is being executed. Outputs are sent only then, not while the kernel answers a
        question about a function.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(fileno=LINE)
        self._file = self._socket.makefile("rb")
        self._lock = threading.RLock()
        self._number, self.executing = 0, False

    def read(self) -> tuple[bytes, bytes]:
        """Return the kind and the body of the next message; exit if the grader has ended."""
        try:
            kind, self._number, size = frames.HEADER.unpack(self._file.read(frames.HEADER.size))
        except (OSError, struct.error):
            os._exit(1)
        return kind, self._file.read(size)

    def tell(self, kind: bytes, body: bytes) -> None:
        """Send the grader a message that carries the number of its current request."""
        with self._lock:
            self._socket.sendall(frames.framed(kind, self._number, body))

    def request(self, data: Any) -> Any:
        """Have the grader make a call for a student's test of a function, and return the result.

        The implementations of the function that the test examines are not in the sandbox. `data`
        holds the arguments of the call.
        """
        self.tell(frames.REQUEST, json.dumps(data, allow_nan=False).encode())
        return json.loads(self.read()[1])


class OutStream(io.TextIOBase):
    """The standard output or error of cells, in place of the class of this name in ipykernel.

    Text that is written while no cell is being executed, for example by a thread, is lost.
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
        """Store a text, and send all stored text once it exceeds `PIECE` characters."""
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
        """Send the stored text to the grader."""
        with self._lock:
            text, self._parts, self._size = "".join(self._parts), [], 0
            if text:
                output = {"output_type": "stream", "name": self.name, "text": text}
                said = json.dumps(output, ensure_ascii=False).encode("utf-8", "replace")
                self._line.tell(frames.OUTPUT, said)


def _shell() -> Any:
    """Return an IPython shell like that of notebooks; each kernel later calls `shell.settle`."""
    import pdb

    import IPython.core.debugger
    from ipykernel.compiler import XCachingCompiler
    from ipykernel.zmqshell import ZMQInteractiveShell
    from jupyter_client import session
    from traitlets.config import Config

    # declared as Any, because the type annotations of these classes are incomplete
    debugger: Any = IPython.core.debugger
    Session: Any = session.Session
    NotebookShell: Any = ZMQInteractiveShell

    class Outputs(Session):  # type: ignore[misc]
        """A Jupyter session that sends outputs to the grader instead of a Jupyter client."""

        line: Any = None

        def send(self, stream: Any, message: Any, content: Any = None, *_: Any, **__: Any) -> None:
            if isinstance(message, str):
                message = self.msg(message, content)
            if self.line.executing:
                output = {**message["content"], "output_type": message["msg_type"]}
                self.line.tell(frames.OUTPUT, self.pack(output))

    class Shell(NotebookShell):  # type: ignore[misc]
        """The shell of notebooks, except that it starts no other program and opens no window."""

        def settle(self, line: _Line, *, alone: bool) -> None:
            """Connect the shell to a kernel's socket, and make IPython's folders.

            A kernel that is `alone` answers only one question, and gets no such folders.
            """
            if not alone:
                super().init_ipython_dir(None)
                super().init_profile_dir(None)
            self.displayhook.session.line = line
            self.streams = OutStream("stdout", line), OutStream("stderr", line)
            sys.stdout, sys.stderr = self.streams

        def init_ipython_dir(self, ipython_dir: Any) -> None:
            """Do nothing, because `settle` makes this folder anew in each kernel."""

        def init_profile_dir(self, profile_dir: Any) -> None:
            """Do nothing, because `settle` makes the folder for profiles anew in each kernel."""

        def enable_gui(self, gui: Any = None) -> None:
            """Do nothing, because the sandbox has no windows for figures."""

        def ask_exit(self) -> None:
            """Do nothing, because the cells after a cell that calls ``exit()`` must run, too."""

        def system(self, command: str, *args: object, **kwargs: object) -> list[str]:
            """Print that the sandbox runs no other program, and raise no error.

            A notebook, too, continues with the next line of a cell if ``!pip install numpy``
            fails.
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
    # replace the debuggers as ipykernel does, so that cells see the same debuggers as in a notebook
    pdb.Pdb = debugger.Pdb = debugger.InterruptiblePdb  # type: ignore[misc]
    pdb.set_trace = debugger.set_trace
    return shell


def _refused(name: str) -> Callable[..., NoReturn]:
    """Return a replacement for the function `name`, such as ``input``.

    It raises the error that a notebook raises if no person can enter a text.
    """

    def refused(*args: object, **kwargs: object) -> NoReturn:
        from IPython.core.error import StdinNotImplementedError

        raise StdinNotImplementedError(
            f"{name} was called, but this frontend does not support input requests."
        )

    return refused


async def _executed(shell: Any, source: str) -> bytes:
    """Execute a cell as ipykernel does; return b"ok", or b"error" if it raised an error."""
    from asyncio import sleep

    await sleep(0)  # let tasks run that earlier cells created
    cell, before = None, (builtins.input, getpass.getpass)
    with contextlib.suppress(Exception):  # `run_cell` below reports the error
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
    """Answer the grader's requests one after the other, until the process ends."""
    # without IPython, cells are plain Python code and stay unchanged
    python = str if shell is None else shell.transform_cell
    while True:
        kind, body = line.read()
        line.executing = kind == frames.CELL
        text = body.decode("utf-8", "surrogatepass")
        try:
            if line.executing:
                answer = await _executed(shell, text)
            else:
                answer = observer.answer(text, python, line.request).encode()
        except BaseException:  # a student's code may raise even SystemExit
            answer = b"error"
        line.executing = False
        line.tell(frames.ANSWER, answer)


def _numbered(line: int) -> None:
    """Move the socket to the descriptor `LINE`, and close all higher descriptors."""
    if line != LINE:
        os.dup2(line, LINE, inheritable=False)
    os.closerange(LINE + 1, 256)


def _warm(common: Mapping[str, Any]) -> tuple[Any, Any]:
    """Import modules for all kernels; return an IPython shell and the module `observe`.

    The module answers questions about students' functions. If ``common["lean"]`` is true, kernels
    need no IPython, and the shell is None.
    """
    sys.path += common["site"]
    site.sethelper()
    site.setquit()
    for name in LEAN if common["lean"] else WARM:
        with contextlib.suppress(ImportError):  # a module such as scipy may not be installed
            importlib.import_module(name)
    observer = _dpteach(common["core"])
    if common["lean"]:
        # without an IPython shell, cells run in ``__main__``, which must be as empty as in a
        # notebook
        sys.modules["__main__"] = ModuleType("__main__")
    shell = None if common["lean"] else _shell()
    # remove these modules, so that students' own modules can have the same names
    for name in ("frames", "launcher", "walls"):
        del sys.modules[name]
    # forked processes share the memory of objects that none of them writes to. A garbage
    # collection writes to all objects except frozen ones, so freeze the present objects
    gc.collect()
    gc.freeze()
    return shell, observer


def _orders(told: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read a sandbox's settings (a line of JSON) and its data files from a file descriptor."""
    with open(told, "rb") as file:
        file.seek(0)
        orders = json.loads(file.readline())
        return orders, {name: file.read(size) for name, size in orders["data"].items()}


def _forked(control: socket.socket) -> tuple[dict[str, Any], int]:
    """Fork a process for each sandbox; only a student's process returns from this function.

    The process of a sandbox forks the students' processes (`_behind_walls`). In these, the result
    is the sandbox's settings and the descriptor of the socket to the grader.
    """
    # ignore the signal, so that the system removes ended child processes without a wait
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        said, descriptors, _, _ = socket.recv_fds(control, 16, 16)
        if not said:
            sys.exit()  # the grader has closed its end of the socket
        if os.fork() == 0:
            walls.end_with_parent()
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _behind_walls(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _behind_walls(line: int, error: int, told: int) -> tuple[dict[str, Any], int]:
    """Make a sandbox, and fork a student's process for each request; return only in the forks.

    With each request, the grader sends a socket for the new process. A student's process, called a
    kernel, begins after the previous kernel has ended, and finds no trace of it: the forking
    process runs no student's code, and each kernel has its own folder, process number and memory.

    Returns
    -------
    dict, int
        The settings of the sandbox, and the descriptor of the kernel's socket.
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
        os.environ |= {"HOME": orders["home"], "MPLCONFIGDIR": f"{orders['home']}/.matplotlib"}
        _anew()
        with socket.socket(fileno=line) as speaking:
            while True:
                said, sockets, _, _ = socket.recv_fds(speaking, 16, 1)
                if not said:
                    os._exit(0)
                process, disk = _behind(orders, data)
                if process == 0:
                    return orders, sockets[0]
                # the grader notices the end of a kernel when no process has its socket open, so
                # close this copy
                os.close(sockets[0])
                _tell_of(process, disk, speaking)
                _tell_of_the_end(process, speaking)
    except (OSError, walls.WallError) as failed:
        os.write(2, f"walls: {failed}\n".encode())
        os._exit(1)


def _behind(orders: dict[str, Any], data: Mapping[str, bytes]) -> tuple[int, int]:
    """Fork a student's process; return its id (0 in that process) and its folder's descriptor."""
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
    """Send the grader the id of a student's process, and descriptors for watching that process.

    The descriptors refer to the student's process, to its parent, which is this process, and to
    its folder, whose files the grader counts.
    """
    handles = os.pidfd_open(process), os.pidfd_open(os.getpid()), disk
    socket.send_fds(speaking, [str(process).encode()], handles)
    for handle in handles:
        os.close(handle)


def _tell_of_the_end(process: int, speaking: socket.socket) -> None:
    """Wait until a student's process ends, and send the grader its exit code and processor time."""
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    speaking.send(json.dumps([code, used.ru_utime + used.ru_stime]).encode())


def _lay_down(name: str, content: bytes, walled: bool) -> None:
    """Write a data file, which cells cannot change, into the folder in which cells run."""
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(content)
    os.chmod(name, 0o444)
    if walled:
        walls.fix(os.path.abspath(name))


def _anew() -> None:
    """Seed numpy's global generator anew, because a fork copies the generator's state.

    Python and OpenSSL seed their own random generators anew after a fork.
    """
    with contextlib.suppress(ImportError):
        import numpy as np

        np.random.seed()  # noqa: NPY002


def _silence() -> None:
    """Connect this process's standard input, output and error to a newly opened ``/dev/null``."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def main() -> None:
    """Fork processes for students' code; each of these sets its limits and serves the grader."""
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
    sys.path[0] = ""  # so that cells can import modules from their own folder
    speaking = _Line()
    if shell is not None:
        shell.settle(speaking, alone=orders["alone"])
    # open the standard streams anew: forked processes share a descriptor that was opened before the
    # fork, so one kernel could change its flags for another
    _silence()
    serving = _serve(speaking, shell, observer)
    if orders["alone"]:
        serving.send(None)
    import asyncio

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(serving)
