"""Starts the kernel inside the sandbox. Run as a script, with its orders as JSON on stdin.

Nothing of the project is importable here. What a student's cell may import of ``dpteach`` is put
together by `_dpteach`: `plain`, `observe`, and a ``check`` that does nothing.
"""

from __future__ import annotations

import builtins
import json
import os
import resource
import site
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any


def _restrict(limits: Mapping[str, int]) -> None:
    """Sets the limits, which the process cannot raise again."""
    for name, value in {
        "RLIMIT_AS": limits["memory"],
        "RLIMIT_CPU": limits["cpu_seconds"],
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_NPROC": limits["processes"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_MEMLOCK": 0,
    }.items():
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            value = min(value, most)
        resource.setrlimit(kind, (value, value))


def _filter(program: bytes) -> None:
    """Hands the system calls over to a filter, for this thread and all that it starts."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    loaded = Program(len(program) // 8, ctypes.addressof(code))
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(22, 2, ctypes.byref(loaded), 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")


def _dpteach(sources: Mapping[str, str]) -> Any:
    """Makes ``dpteach`` of the two modules that may be here; returns `observe`."""
    from importlib.util import module_from_spec, spec_from_file_location

    package, grading = ModuleType("dpteach"), ModuleType("dpteach.grading")

    def check(name: object = "", **more: object) -> None:
        """Does nothing: the cell is judged outside."""

    check.__module__ = "dpteach.grading"
    for module in (package, grading):
        module.__path__ = []
        sys.modules[module.__name__] = module
    package.grading = grading  # type: ignore[attr-defined]
    grading.check = check  # type: ignore[attr-defined]
    observe: Any = None
    for name in ("plain", "observe"):
        spec = spec_from_file_location(f"dpteach.grading.{name}", sources[name])
        assert spec is not None and spec.loader is not None
        observe = module_from_spec(spec)
        sys.modules[spec.name] = observe
        setattr(grading, name, observe)
        spec.loader.exec_module(observe)
    return observe


def _application() -> Any:
    """ipykernel's application, on sockets that were made outside, with one more request."""
    import ipykernel.ipkernel
    import ipykernel.kernelapp

    # as if they had no types: half of them have
    IPythonKernel: Any = ipykernel.ipkernel.IPythonKernel
    IPKernelApp: Any = ipykernel.kernelapp.IPKernelApp

    class Kernel(IPythonKernel):  # type: ignore[misc]
        msg_types: Any = [*IPythonKernel.msg_types, "ask_request"]  # noqa: RUF012
        observer: Any = None

        def ask_request(self, stream: Any, ident: Any, parent: Any) -> None:
            """Hands a question to `observe.answer`, and its answer back.

            Meanwhile ``input`` asks the grader, which is how `observe.outside` reaches it.
            """
            self._forward_input(True)
            try:
                answer = self.observer.answer(parent["content"]["question"])
                content = {"status": "ok", "answer": answer}
                json.dumps(content)
            except BaseException as error:  # also what a student's code makes of it
                content = {"status": "error", "ename": type(error).__name__}
            finally:
                self._restore_input()
            self.session.send(stream, "ask_reply", content, parent, ident=ident)

    class Application(IPKernelApp):  # type: ignore[misc]
        kernel_class: Any = Kernel
        listeners: Mapping[str, int] = {}

        def _try_bind_socket(self, socket: Any, port: int) -> int:
            import zmq

            socket.setsockopt(zmq.USE_FD, self.listeners[str(port)])
            socket.sndhwm = 0
            socket.bind(f"ipc:///dev/null/{port}")
            return port

        def init_iopub(self, context: Any) -> None:
            import zmq
            from ipykernel import iostream

            self.iopub_socket = context.socket(zmq.XPUB)
            self._bind_socket(self.iopub_socket, 2)
            self.configure_tornado_logger()
            # no pipe: it would be for the output of child processes, and there are none
            IOPubThread: Any = iostream.IOPubThread
            self.iopub_thread = IOPubThread(self.iopub_socket, session=self.session)
            self.iopub_thread.start()
            self.iopub_socket = self.iopub_thread.background_socket

        def init_heartbeat(self) -> None:
            """Nobody listens for it: a process has died when it has died."""

        def write_connection_file(self, **kwargs: Any) -> None:
            """There is nobody who would read it."""

        def log_connection_info(self) -> None:
            """There is nobody who would read it."""

    return Application


def main() -> None:
    """Restricts this process, then becomes the kernel."""
    orders = json.loads(sys.stdin.buffer.read())
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    _restrict(orders["limits"])
    if orders["filter"]:
        _filter(bytes.fromhex(orders["filter"]))
    sys.path[1:1] = []
    sys.path += orders["site"]
    site.sethelper()
    site.setquit()
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.IPCompleter.use_jedi = False
    config.Session.key = b""
    config.IPKernelApp.log_level = 50
    Application = _application()
    app = Application.instance(config=config)
    app.listeners = orders["listeners"]
    app.transport, app.ip = "ipc", "/dev/null/k"
    app.capture_fd_output = False
    app.shell_port, app.iopub_port, app.stdin_port, app.control_port = 1, 2, 3, 4
    app.initialize([])
    kernel = app.kernel
    kernel.observer = _dpteach(orders["sources"])
    os.write(1, b"ready\n")
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)
    app.start()


if __name__ == "__main__":
    builtins.__dict__.pop("__loader__", None)
    main()
