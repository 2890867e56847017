"""Starts kernels: a process that has imported what they need is forked for each of them.

The warm process runs nothing of a student's, and knows nothing of an exam. It has one thread, and
waits for orders. It has made what kernels have in common, the application and the shell, but no
socket. What it forks for an order builds the walls of a sandbox (`walls`), forks the kernel as
the first process behind them, and waits for its end, to tell the grader. So nothing that one
kernel does can come to another: both have copies of the warm process's memory, and what must
differ is made anew, such as the state of random generators.

Nothing of the project is importable here. What a student's cell may import of ``dpteach`` is put
together by `_dpteach`: `plain`, `observe`, and a ``check`` that does nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import site
import socket
import sys
import threading
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import walls  # type: ignore[import-not-found]

#: what is imported once for all kernels: what one imports when it starts or a cell fails, and what
#: students do. No package's attribute may depend on it: who imports ``scipy`` has ``scipy.stats``
WARM = (
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger"),
    *("IPython.core.oinspect", "IPython.core.ultratb", "IPython.extensions.storemagic"),
    *("faulthandler", "ipykernel.debugger", "pygments.formatters.terminal256", "stack_data"),
    *("tornado.platform.asyncio", "tornado.queues"),
    *("numpy", "scipy.integrate", "scipy.optimize", "scipy.special", "scipy.stats"),
)

#: the same for a process without IPython and scipy, which is forked in half the time
LEAN = (
    *("bisect", "cmath", "collections.abc", "copy", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "heapq", "inspect", "itertools", "math", "numbers", "operator", "statistics"),
    *("string", "typing", "numpy", "numpy.typing"),
)

#: in a message, what comes after the address
DELIMITER = b"<IDS|MSG>"

#: the order is that of the ports; the grader is connected to some, and nobody to the others
CHANNELS = ("shell", "iopub", "stdin", "control", "hb")


def _restrict(limits: Mapping[str, int]) -> None:
    """Sets limits, which the process cannot raise again."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        hard = value + 1 if name == "CPU" else value  # a signal comes first, by which one can tell
        if most != resource.RLIM_INFINITY:
            hard = min(hard, most)
        resource.setrlimit(kind, (min(value, hard), hard))


class _Program(ctypes.Structure):
    """A filter, as prctl(2) takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _filter(program: bytes) -> None:
    """Ends this process with its parent, and filters the system calls of all its threads."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))
    loaded = _Program(len(program) // 8, ctypes.addressof(code))
    walls.end_with_parent()  # who has become another user has lost it
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(22, 2, ctypes.byref(loaded), 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")


def _dpteach(sources: Mapping[str, str]) -> Any:
    """Makes ``dpteach`` of the two modules that may be here; returns `observe`."""
    from importlib.util import module_from_spec, spec_from_file_location

    package, grading = ModuleType("dpteach"), ModuleType("dpteach.grading")
    core = ModuleType("dpteach.grading.core")

    def check(name: object = "", **more: object) -> None:
        """Does nothing: the cell is judged outside."""

    check.__module__ = "dpteach.grading"
    for module in (package, grading, core):
        module.__path__ = []
        sys.modules[module.__name__] = module
    package.grading = grading  # type: ignore[attr-defined]
    grading.check = check  # type: ignore[attr-defined]
    grading.core = core  # type: ignore[attr-defined]
    observe: Any = None
    for name in ("plain", "observe"):
        spec = spec_from_file_location(f"dpteach.grading.core.{name}", sources[name])
        assert spec is not None and spec.loader is not None
        observe = module_from_spec(spec)
        sys.modules[spec.name] = observe
        setattr(core, name, observe)
        spec.loader.exec_module(observe)
    return observe


def _kernel() -> Any:
    """ipykernel's kernel with one more request."""
    import ipykernel.ipkernel
    import zmq

    # it asks each module for its file, for a debugger that is not here: the memory of each would
    # be copied
    without_modules: Any = ModuleType("sys")
    without_modules.modules, without_modules.__getattr__ = {}, lambda name: getattr(sys, name)
    vars(ipykernel.ipkernel)["sys"] = without_modules

    # as if it had no types: half of it has
    IPythonKernel: Any = ipykernel.ipkernel.IPythonKernel

    class Kernel(IPythonKernel):  # type: ignore[misc]
        msg_types: Any = [*IPythonKernel.msg_types, "ask_request"]  # noqa: RUF012
        observer: Any = None
        _supports_kernel_subshells = False
        _execute_sleep = 0.0  # the grader waits for the end of the outputs

        async def dispatch_shell(self, msg: Any, /, *args: Any, **kwargs: Any) -> None:
            """Tells nobody that the kernel is busy, if it is so with a question."""
            idents, frames = self.session.feed_identities(msg, copy=False)
            if b'"ask_request"' not in bytes(frames[1].buffer):
                await super().dispatch_shell(msg, *args, **kwargs)
                return
            parent = self.session.deserialize(frames, content=True, copy=False)
            self.set_parent(idents, parent, channel="shell")
            self.pre_handler_hook()
            try:
                self.ask_request(self.shell_stream, idents, parent)
            finally:
                self.post_handler_hook()
                self.shell_stream.flush(zmq.POLLOUT)

        def ask_request(self, stream: Any, ident: Any, parent: Any) -> None:
            """Hands a question to `observe.answer`, and its answer back."""
            start = [*ident, DELIMITER, b"", b'{"msg_type": "input_request"}']
            start += [json.dumps({"msg_id": parent["header"]["msg_id"]}).encode(), b"{}"]

            def outside(data: Any) -> Any:
                """What ``input`` does, as a test asks a thousand times and more."""
                line = self.stdin_socket
                while line.get(zmq.EVENTS) & zmq.POLLIN:
                    line.recv_multipart()  # for a question that was given up
                prompt = json.dumps(data, allow_nan=False)
                line.send_multipart([*start, json.dumps({"prompt": prompt}).encode()])
                frames = line.recv_multipart()
                return json.loads(json.loads(frames[frames.index(DELIMITER) + 5])["value"])

            self._forward_input(True)
            try:
                self.observer.outside = outside
                answer = self.observer.answer(parent["content"]["question"])
                content = {"status": "ok", "answer": answer}
                json.dumps(content, ensure_ascii=False).encode()
            except BaseException as error:  # also what a student's code makes of it
                content = {"status": "error", "ename": type(error).__name__}
            finally:
                self._restore_input()
            self.session.send(stream, "ask_reply", content, parent, ident=ident)

    return Kernel


def _streams() -> None:
    """What is printed: half a character cannot be sent, and nothing need not be.

    The thread that tries to send a half fails, and the cell waits for it.
    """
    from ipykernel import iostream

    OutStream: Any = iostream.OutStream
    write, flush = OutStream.write, OutStream.flush

    def written(self: Any, string: Any) -> Any:
        if isinstance(string, str):
            string = string.encode("utf-8", "replace").decode("utf-8")
        count = write(self, string)
        self.unsent = True  # afterwards: another thread may have flushed meanwhile
        return count

    def flushed(self: Any) -> None:
        if self.unsent:
            self.unsent = False
            flush(self)

    OutStream.unsent, OutStream.flush_timeout = False, 2.0
    OutStream.write, OutStream.flush = written, flushed


def _application() -> Any:
    """ipykernel's application, on sockets that were made outside."""
    import ipykernel.kernelapp
    import zmq
    from ipykernel import iostream

    IPKernelApp: Any = ipykernel.kernelapp.IPKernelApp

    class NoThread:
        """Stands for the one that hands each message on, so that cells can run beside others."""

        parent_thread = threading.current_thread()

        def __bool__(self) -> bool:
            return False

    class Application(IPKernelApp):  # type: ignore[misc]
        kernel_class: Any = _kernel()
        listeners: Mapping[str, int] = {}

        def _try_bind_socket(self, socket: Any, port: int) -> int:
            name = CHANNELS[port - 1]
            if name in self.listeners:
                socket.setsockopt(zmq.USE_FD, self.listeners[name])
                socket.bind(f"ipc:///listening/{name}")
            else:
                socket.bind(f"inproc://{name}")
            return port

        def init_control(self, context: Any) -> None:
            super().init_control(context)
            # it goes on trying to reach a debugger that is not there
            self.debug_shell_socket.reconnect_ivl = -1
            self.shell_channel_thread = NoThread()

        def init_iopub(self, context: Any) -> None:
            self.iopub_socket = context.socket(zmq.XPUB)
            self.iopub_socket.sndhwm = 0  # nothing is dropped because much is sent
            self._bind_socket(self.iopub_socket, self.iopub_port)
            self.configure_tornado_logger()
            # no pipe: it would be for the output of child processes, and there are none
            IOPubThread: Any = iostream.IOPubThread
            self.iopub_thread = IOPubThread(self.iopub_socket, session=self.session)
            self.iopub_thread.start()
            self.iopub_socket = self.iopub_thread.background_socket

        def parse_command_line(self, argv: Any = None) -> None:
            """There is none."""

        def init_heartbeat(self) -> None:
            """There is nobody who would listen."""

        def write_connection_file(self, **kwargs: Any) -> None:
            """There is nobody who would read it."""

        def log_connection_info(self) -> None:
            """There is nobody who would read it."""

        def init_config_files(self) -> None:
            """There are none."""

        def load_config_file(self, suppress_errors: Any = None) -> None:
            """There is none."""

        def init_extensions(self) -> None:
            """The shell has them already."""

        def init_code(self) -> None:
            """There is none to run before the first cell."""
            self.shell.user_ns_hidden.update(self.shell.user_ns)

        def init_kernel(self) -> None:
            """The shell is here already, and meets its kernel."""
            super().init_kernel()
            shell = self.kernel.shell
            shell.kernel = shell.parent = self.kernel
            shell.profile_dir, shell.ipython_dir = self.profile_dir, self.ipython_dir

    return Application


def _shell(config: Any) -> None:
    """Makes ipykernel's shell, where nothing can be written."""
    from ipykernel.compiler import XCachingCompiler
    from ipykernel.zmqshell import ZMQInteractiveShell

    class Unplaced(ZMQInteractiveShell):
        def init_ipython_dir(self, ipython_dir: Any) -> None:
            """It gets one with the kernel."""

        def init_profile_dir(self, profile_dir: Any) -> None:
            """It gets one with the kernel."""

    shell: Any = Unplaced.instance(config=config, compiler_class=XCachingCompiler)
    shell.extension_manager.load_extension("storemagic")


def _numbered(listeners: Mapping[str, int]) -> dict[str, int]:
    """Gives the sockets the same numbers in every kernel, and closes what else was left open.

    A cell that shows such a number must not show a different one in each worker of a class.
    """
    high = {name: fcntl.fcntl(number, fcntl.F_DUPFD, 128) for name, number in listeners.items()}
    for number in listeners.values():
        os.close(number)
    os.closerange(3, 128)
    numbers = {}
    for number, (name, copy) in enumerate(sorted(high.items()), start=3):
        os.dup2(copy, number, inheritable=False)
        os.close(copy)
        numbers[name] = number
    return numbers


def _no_shell(command: str, *args: object, **kwargs: object) -> list[str]:
    """Stands for what runs a command line: no other program can run here."""
    print(f"not run, no other program is here: {command}")
    return []


def _warm(common: Mapping[str, Any]) -> tuple[Any, Any]:
    """Import and make what kernels need; return the application, None if lean, and `observe`."""
    sys.path += common["site"]
    site.sethelper()
    site.setquit()
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    for name in LEAN if common["lean"] else WARM:
        with contextlib.suppress(ImportError):  # no course need have all of them
            importlib.import_module(name)
    observer = _dpteach(common["sources"])
    if common["lean"]:
        # cells must not see the names of this module
        sys.modules["__main__"] = ModuleType("__main__")
    app = None if common["lean"] else _kernels()
    # what is here already is collected in no kernel, so that its memory remains shared
    gc.collect()
    gc.freeze()
    return app, observer


def _kernels() -> Any:
    """Return the application that becomes a kernel, with its shell."""
    _streams()
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.IPCompleter.use_jedi = False
    config.Session.key = b""
    config.IPKernelApp.log_level = 50
    app = _application().instance(config=config)
    _shell(config)
    return app


def _orders(told: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What a descriptor's file says: a line of JSON, then the files of data."""
    with open(told, "rb") as file:
        file.seek(0)
        orders = json.loads(file.readline())
        return orders, {name: file.read(size) for name, size in orders["data"].items()}


def _forked(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Forks a process for each order that arrives, and returns in each of them.

    Returns
    -------
    dict, list of int
        The orders, and the sockets on which the kernel listens.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # what has ended is gone
    while True:
        said, descriptors, _, _ = socket.recv_fds(control, 16, 16)
        if not said:
            sys.exit()  # the grader has gone
        if os.fork() == 0:
            walls.end_with_parent()
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _behind_walls(*descriptors[:4]), descriptors[4:]
        for descriptor in descriptors:
            os.close(descriptor)


def _behind_walls(line: int, out: int, error: int, told: int) -> dict[str, Any]:
    """Forks the kernel's process, in which this returns its orders, and tells of its end."""
    for number, descriptor in ((1, out), (2, error)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    try:
        orders, data = _orders(told)
        os.setsid()
        if orders["walls"]:
            walls.apart(root=orders["user"] is not None, processes=not orders["alone"])
            if orders["alone"]:
                walls.hide_processes()
        if orders["alone"]:
            return _one_by_one(line, orders, data)
        kernel, disk = _behind(orders, data)
        if kernel == 0:
            return orders
    except (OSError, walls.WallError) as failed:
        os.write(2, f"walls: {failed}\n".encode())
        os._exit(1)
    with socket.socket(fileno=line) as speaking:
        _tell_of(kernel, disk, speaking)
        # whoever reads what the kernel has to say sees that it is gone
        os.closerange(0, line)
        os.closerange(line + 1, 128)
        _tell_of_the_end(kernel, speaking)
    os._exit(0)


def _behind(orders: dict[str, Any], data: Mapping[str, bytes]) -> tuple[int, int]:
    """Forks a process without any rights, in a new folder; its number, and the folder."""
    if orders["walls"]:
        size = orders["disk_bytes"] + sum(map(len, data.values()))
        walls.empty(disk_bytes=size, disk_files=2 * orders["disk_files"])
    os.chdir(orders["home"])
    for name, content in data.items():
        _lay_down(name, content, orders["walls"])
    disk = os.open(".", os.O_PATH | os.O_DIRECTORY)
    process = walls.fork() if orders["walls"] and orders["alone"] else os.fork()
    if process == 0:
        os.setsid()
        if orders["walls"]:
            if not orders["alone"]:
                walls.show_processes()
            walls.enter(orders["user"])
    return process, disk


def _tell_of(process: int, disk: int, speaking: socket.socket) -> None:
    """Hands on what can end a process, what shows that it has ended, and its folder."""
    handles = os.pidfd_open(process), os.pidfd_open(os.getpid()), disk
    socket.send_fds(speaking, [str(process).encode()], handles)
    for handle in handles:
        os.close(handle)


def _tell_of_the_end(process: int, speaking: socket.socket) -> None:
    """Waits for the end of a process, and tells how it ended and what it used."""
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    speaking.send(json.dumps([code, used.ru_utime + used.ru_stime]).encode())


def _one_by_one(line: int, orders: dict[str, Any], data: Mapping[str, bytes]) -> dict[str, Any]:
    """Forks a process for each socket that arrives, and returns in each of them.

    One begins when the one before has ended, and finds nothing of it: this process runs nothing of
    a student's, and each has a folder, a number and memory of its own. What all of them need is
    made here once.
    """
    os.environ.update(orders["environment"])
    _anew()
    if not orders["lean"]:
        from IPython.core.interactiveshell import InteractiveShell

        shell: Any = InteractiveShell.instance()
        shell.display_pub.publish = lambda *args, **kwargs: None
        shell.system = shell.getoutput = _no_shell
    with socket.socket(fileno=line) as speaking:
        while True:
            said, sockets, _, _ = socket.recv_fds(speaking, 16, 1)
            if not said:
                os._exit(0)
            process, disk = _behind(orders, data)
            if process == 0:
                return {**orders, "line": sockets[0]}
            os.close(sockets[0])
            _tell_of(process, disk, speaking)
            _tell_of_the_end(process, speaking)


def _lay_down(name: str, content: bytes, walled: bool) -> None:
    """Writes a file of data, which cells find in their folder."""
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(content)
    os.chmod(name, 0o444)
    if walled:
        walls.fix(os.path.abspath(name))


def _answer_one(line: int, observer: Any, *, lean: bool) -> None:
    """Run the cells that come over a socket, and answer the question that comes with them."""
    python: Any = str  # a lean process gets cells of plain Python only
    if not lean:
        from IPython.core.interactiveshell import InteractiveShell

        python = InteractiveShell.instance().transform_cell
    for number in (1, 2):
        os.dup2(0, number)
    with socket.socket(fileno=line) as speaking, speaking.makefile("rwb") as file:

        def told(data: Any) -> None:
            file.write(json.dumps(data, allow_nan=False).encode() + b"\n")
            file.flush()

        def outside(data: Any) -> Any:
            told({"request": data})
            return json.loads(file.readline())

        asked = json.loads(file.readline())
        told(observer.answer_alone(asked, python, outside))
        file.readline()  # whoever asked ends this process


def _anew() -> None:
    """What two kernels must not have in common, and a fork leaves as it was.

    Python's own generator of random numbers, and OpenSSL's, notice a fork by themselves.
    """
    with contextlib.suppress(ImportError):
        import numpy as np

        np.random.seed()  # noqa: NPY002


def main() -> None:
    """The warm process; in each one that it has forked, restricts it, and becomes the kernel."""
    walls.end_with_parent()
    control = socket.socket(fileno=int(sys.argv[2]))
    common = json.loads(control.recv(1 << 16))
    app, observer = _warm(common)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)
    control.send(b"ready")
    orders, descriptors = _forked(control)

    names, alone = orders["listeners"], orders["alone"]
    descriptors = [orders["line"]] if alone else descriptors
    listeners = _numbered(dict(zip(names, descriptors, strict=True)))
    if not alone:
        os.environ.update(orders["environment"])
        _anew()
    _restrict(orders["limits"])
    if common["filter"]:
        _filter(bytes.fromhex(common["filter"]))
    # whoever has a descriptor that was opened before the fork shares its flags with every sandbox
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.path[0] = ""  # what a cell has written can be imported, as in every notebook
    if alone:
        _answer_one(listeners["line"], observer, lean=orders["lean"])
        os._exit(0)
    app.listeners = listeners
    app.transport, app.ip, app.capture_fd_output = "ipc", "/listening/kernel", False
    for port, name in enumerate(CHANNELS, start=1):
        setattr(app, f"{name}_port", port)
    app.initialize([])
    # a cell that calls exit() or restarts the kernel would end it a little later, at any cell
    app.kernel.shell.unobserve_all("exit_now")
    # a line such as !pip install numpy raises in no notebook, and must not cost the cell
    app.kernel.shell.system = _no_shell
    app.kernel.shell.getoutput = _no_shell
    app.kernel.observer = observer
    app.kernel.log.setLevel(50)
    os.write(1, b"ready\n")
    for number in (1, 2):
        os.dup2(0, number)
    app.start()
