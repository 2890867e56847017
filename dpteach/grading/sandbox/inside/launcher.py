"""The program of the warm process, and of the sandboxed processes that are forked from it.

The warm process runs no student's code, and gets no data of an exam. It has one thread, and waits
for orders. For each order it forks a second process, which builds the walls of a sandbox (`walls`).
The second process forks the kernels, the processes in which students' code runs, one after the
other: a kernel executes the cells of a whole notebook, or answers a single question. The second
process waits for the end of each kernel, and reports it to the grader. No kernel can influence
another one, because each has its own copy of the warm process's memory. State that must differ
between kernels, such as that of random generators, is made anew after a fork.

A kernel reads the grader's requests from its socket (`frames`), and answers them one by one.

The package dpteach cannot be imported here. `_dpteach` makes a substitute for the parts of it that
a student's cell may import: `plain`, `observe`, and a ``check`` and a ``hand_in`` that do nothing.
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

#: the modules that the warm process imports once for all kernels: modules that a kernel needs at
#: its start or when a cell fails, and modules that students often import. A submodule may be listed
#: only if it can be used after an import of its package alone, like ``scipy.stats``. Otherwise a
#: cell that forgets to import the submodule would work in the sandbox only
WARM = (
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger"),
    *("IPython.core.oinspect", "IPython.core.ultratb", "IPython.extensions.storemagic"),
    *("faulthandler", "ipykernel.zmqshell", "pygments.formatters.terminal256", "stack_data"),
    *("numpy", "scipy.integrate", "scipy.optimize", "scipy.special", "scipy.stats"),
)

#: the modules of a lean process, which has neither IPython nor scipy; its fork takes half the time
LEAN = (
    *("bisect", "cmath", "collections.abc", "copy", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "heapq", "inspect", "itertools", "math", "numbers", "operator", "statistics"),
    *("string", "typing", "numpy", "numpy.typing"),
)

#: the number of written characters above which a stream sends them without being flushed
PIECE = 1 << 16

#: the package from which `plain` and `observe` are imported
CORE = "dpteach.grading.core"

#: the number of the socket's descriptor. It is fixed, because a cell can print it, and results must
#: be the same in every run
LINE = 3


def _restrict(limits: Mapping[str, int]) -> None:
    """Set resource limits of this process, which it cannot raise again."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        # the soft limit on processor time sends a signal, by which the grader recognizes the reason
        # for the end; the hard limit kills the process a second later
        hard = value + 1 if name == "CPU" else value
        if most != resource.RLIM_INFINITY:
            hard = min(hard, most)
        resource.setrlimit(kind, (min(value, hard), hard))


def _filter(program: bytes) -> None:
    """Load the filter of system calls, and make this process end with its parent."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))
    loaded = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    walls.end_with_parent()  # a change of the user has reset this, so it is set again
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(22, 2, loaded, 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")


def _dpteach(folder: str) -> Any:
    """Make a substitute for the package dpteach, and return its module `observe`."""

    def check(name: object = "", **more: object) -> None:
        """Do nothing, because the grader judges the item outside of the sandbox."""

    check.__module__ = "dpteach.grading"
    # the cell that makes the file to submit calls `hand_in`, which must do nothing here, either
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
        Whether a cell is being executed. Outputs are sent only then, not during a question.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(fileno=LINE)
        self._file = self._socket.makefile("rb")
        self._lock = threading.RLock()
        self._number, self.executing = 0, False

    def read(self) -> tuple[bytes, bytes]:
        """Return the kind and the body of the next frame; exit if the grader has ended."""
        try:
            kind, self._number, size = frames.HEADER.unpack(self._file.read(frames.HEADER.size))
        except (OSError, struct.error):
            os._exit(1)
        return kind, self._file.read(size)

    def tell(self, kind: bytes, body: bytes) -> None:
        """Send a frame that belongs to the present request."""
        with self._lock:
            self._socket.sendall(frames.framed(kind, self._number, body))

    def request(self, data: Any) -> Any:
        """Send a request to the grader, and return its reply."""
        self.tell(frames.REQUEST, json.dumps(data, allow_nan=False).encode())
        return json.loads(self.read()[1])


class OutStream(io.TextIOBase):
    """The standard output or standard error of cells, with the class name that notebooks show.

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
        """Keep a text, and send all kept texts once they exceed `PIECE` characters."""
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
        """Send the kept texts to the grader."""
        with self._lock:
            text, self._parts, self._size = "".join(self._parts), [], 0
            if text:
                output = {"output_type": "stream", "name": self.name, "text": text}
                said = json.dumps(output, ensure_ascii=False).encode("utf-8", "replace")
                self._line.tell(frames.OUTPUT, said)


def _shell() -> Any:
    """Make the IPython shell of notebooks in the warm process; each kernel calls `settle`."""
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
        """A session that sends outputs to the grader, in place of a Jupyter client."""

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
            """Connect the shell to a kernel's socket, and make IPython's folders if needed."""
            if not alone:
                super().init_ipython_dir(None)
                super().init_profile_dir(None)
            self.displayhook.session.line = line
            self.streams = OutStream("stdout", line), OutStream("stderr", line)
            sys.stdout, sys.stderr = self.streams

        def init_ipython_dir(self, ipython_dir: Any) -> None:
            """Do nothing, because each kernel has its own folder (`settle`)."""

        def init_profile_dir(self, profile_dir: Any) -> None:
            """Do nothing, for the reason of `init_ipython_dir`."""

        def enable_gui(self, gui: Any = None) -> None:
            """Do nothing, because the sandbox has no windows for figures."""

        def ask_exit(self) -> None:
            """Do nothing, because the cells after a cell that calls ``exit()`` must run, too."""

        def system(self, command: str, *args: object, **kwargs: object) -> list[str]:
            """Print that the sandbox runs no other program, and raise no error.

            In a notebook, a line such as ``!pip install numpy`` does not end the cell either.
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
    # ipykernel replaces these debuggers at its start, so cells see the same ones here
    pdb.Pdb = debugger.Pdb = debugger.InterruptiblePdb  # type: ignore[misc]
    pdb.set_trace = debugger.set_trace
    return shell


def _refused(name: str) -> Callable[..., NoReturn]:
    """Return a substitute for ``input``, which raises the error of notebooks without a user."""

    def refused(*args: object, **kwargs: object) -> NoReturn:
        from IPython.core.error import StdinNotImplementedError

        raise StdinNotImplementedError(
            f"{name} was called, but this frontend does not support input requests."
        )

    return refused


async def _executed(shell: Any, source: str) -> bytes:
    """Execute a cell as ipykernel does; return b"ok", or b"error" if it raised an error."""
    from asyncio import sleep

    await sleep(0)  # lets the tasks run that an earlier cell created in the event loop
    cell, before = None, (builtins.input, getpass.getpass)
    with contextlib.suppress(Exception):  # `run_cell` then shows the error
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
    """Answer the grader's requests one by one, without end."""
    python = str if shell is None else shell.transform_cell  # lean: plain Python
    while True:
        kind, body = line.read()
        line.executing = kind == frames.CELL
        text = body.decode("utf-8", "surrogatepass")
        try:
            if line.executing:
                answer = await _executed(shell, text)
            else:
                answer = observer.answer(text, python, line.request).encode()
        except BaseException:  # a student's code can also raise SystemExit or KeyboardInterrupt
            answer = b"error"
        line.executing = False
        line.tell(frames.ANSWER, answer)


def _numbered(line: int) -> None:
    """Move the socket to the descriptor `LINE`, and close all higher descriptors."""
    if line != LINE:
        os.dup2(line, LINE, inheritable=False)
    os.closerange(LINE + 1, 256)


def _warm(common: Mapping[str, Any]) -> tuple[Any, Any]:
    """Import the modules for kernels; return the shell (None if lean) and `observe`."""
    sys.path += common["site"]
    site.sethelper()
    site.setquit()
    for name in LEAN if common["lean"] else WARM:
        with contextlib.suppress(ImportError):  # a course may have no scipy, for example
            importlib.import_module(name)
    observer = _dpteach(common["core"])
    if common["lean"]:
        # without a shell, cells run in ``__main__``, which must be as empty as in a notebook
        sys.modules["__main__"] = ModuleType("__main__")
    shell = None if common["lean"] else _shell()
    for name in ("frames", "launcher", "walls"):  # students' modules may use these names
        del sys.modules[name]
    # a garbage collection in a kernel would write to all objects, so that their memory would no
    # longer be shared; frozen objects are left out
    gc.collect()
    gc.freeze()
    return shell, observer


def _orders(told: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read orders and data files from a descriptor: a line of JSON, then the files' contents."""
    with open(told, "rb") as file:
        file.seek(0)
        orders = json.loads(file.readline())
        return orders, {name: file.read(size) for name, size in orders["data"].items()}


def _forked(control: socket.socket) -> tuple[dict[str, Any], int]:
    """Fork a process for each order; return only in kernels, with the result of `_behind_walls`."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no wait is needed then
    while True:
        said, descriptors, _, _ = socket.recv_fds(control, 16, 16)
        if not said:
            sys.exit()  # the grader has closed its end
        if os.fork() == 0:
            walls.end_with_parent()
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _behind_walls(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _behind_walls(line: int, error: int, told: int) -> tuple[dict[str, Any], int]:
    """Make the walls of a sandbox, and fork a kernel for each socket; return only in kernels.

    A kernel begins after the one before has ended, and finds no trace of it: this process runs no
    student's code, and each kernel has its own folder, process number and memory.

    Returns
    -------
    dict, int
        The orders, and the descriptor of the kernel's socket.
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
                # the grader notices the end of a kernel when all copies of its socket are closed
                os.close(sockets[0])
                _tell_of(process, disk, speaking)
                _tell_of_the_end(process, speaking)
    except (OSError, walls.WallError) as failed:
        os.write(2, f"walls: {failed}\n".encode())
        os._exit(1)


def _behind(orders: dict[str, Any], data: Mapping[str, bytes]) -> tuple[int, int]:
    """Fork a kernel without any rights; return its number (0 in the kernel) and its folder."""
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
    """Send the grader descriptors of a kernel, of this process and of the kernel's folder."""
    handles = os.pidfd_open(process), os.pidfd_open(os.getpid()), disk
    socket.send_fds(speaking, [str(process).encode()], handles)
    for handle in handles:
        os.close(handle)


def _tell_of_the_end(process: int, speaking: socket.socket) -> None:
    """Wait for the end of a kernel; send the grader its exit code and processor time."""
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    speaking.send(json.dumps([code, used.ru_utime + used.ru_stime]).encode())


def _lay_down(name: str, content: bytes, walled: bool) -> None:
    """Write a data file into the folder in which cells run, so that cells cannot change it."""
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(content)
    os.chmod(name, 0o444)
    if walled:
        walls.fix(os.path.abspath(name))


def _anew() -> None:
    """Seed numpy's global generator anew, because a fork copies its state.

    The random generators of Python and OpenSSL are seeded anew at a fork by themselves.
    """
    with contextlib.suppress(ImportError):
        import numpy as np

        np.random.seed()  # noqa: NPY002


def _silence() -> None:
    """Connect standard input, output and error to a ``/dev/null`` that this process opens."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def main() -> None:
    """Run the warm process, and in each kernel set its limits and answer the grader's requests."""
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
    sys.path[0] = ""  # cells can import a module that they have written, as in every notebook
    speaking = _Line()
    if shell is not None:
        shell.settle(speaking, alone=orders["alone"])
    # descriptors from before the fork would share their flags with every other kernel
    _silence()
    serving = _serve(speaking, shell, observer)
    if orders["alone"]:
        serving.send(None)
    import asyncio

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(serving)
