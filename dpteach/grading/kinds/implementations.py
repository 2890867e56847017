"""Calls of an author's functions on a student's arguments, outside of the sandbox.

Some of these functions are implementations that a student's own test examines, and others compute
the privacy guarantee of a mechanism that a student has designed. The author is trusted, but the
arguments come from the student. The calls therefore run in a separate process, with limits on time
and memory.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import faulthandler
import importlib
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.plain import NotPlainError, decode, encode, reduce
from dpteach.grading.kinds import require
from dpteach.grading.kinds.outcomes import ERRORS, readable

_, _n = catalog("kinds")

#: limits on a call: seconds of computing time, and bytes of memory of the process
CALL_SECONDS: Final = 2.0
MEMORY: Final = 2 * 2**30

#: seconds after which an idle process ends
IDLE_SECONDS: Final = 60

#: the reply to a call that was ended because it used too much time or memory
ENDED: Final = {"ended": "too many or too large calls"}


def source_of(function: Callable[..., Any]) -> tuple[str, str]:
    """Return the name of a function and the source of the function and of all names that it uses.

    Parameters
    ----------
    function
        A function of a module, or of a notebook cell that only the checks of an assignment use.

    Returns
    -------
    str, str
        A dotted name and "" for a function of ``dpteach``; otherwise its name and Python source.

    Raises
    ------
    ValueError
        If the function is a lambda or a closure, or uses an object without a source.
    """
    module = getattr(function, "__module__", None)
    if isinstance(module, str) and module.startswith("dpteach."):
        return f"{module}.{function.__qualname__}", ""
    require.that(inspect.isfunction(function), "function", _("must be a plain function"), function)
    texts: dict[str, str] = {}
    _collect(function.__name__, function, function.__globals__, texts)
    return function.__name__, "\n\n".join(texts.values()) + "\n"


def _collect(name: str, value: Any, home: Mapping[str, Any], texts: dict[str, str]) -> None:
    """Add the source that defines a name to `texts`, after the sources on which it depends."""
    if name in texts:
        return
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    if inspect.isfunction(value) and value.__globals__ is home:
        own = value.__name__ == name and not value.__closure__
        require.that(
            own,
            name,
            _("must be a function of its own: no lambda, no closure, no other name"),
            value,
        )
        texts[name] = ""  # so that the recursion ends if a function uses itself
        for used in sorted(_names(value.__code__) & set(home)):
            _collect(used, home[used], home, texts)
        del texts[name]
        texts[name] = text_of(value)
    elif isinstance(value, types.ModuleType):
        same_name = value.__name__ == name
        texts[name] = f"import {name}" if same_name else f"import {value.__name__} as {name}"
    elif module is not None and getattr(module, name, None) is value:
        texts[name] = f"from {module.__name__} import {name}"
    else:
        try:
            same = bool(ast.literal_eval(repr(value)) == value)
        except (ValueError, SyntaxError):
            same = False
        require.that(same, name, _("must be a function, a module or a plain constant"), value)
        texts[name] = f"{name} = {value!r}"


def _names(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def text_of(function: Any) -> str:
    """Return the source of a function, which may be defined in a notebook's cell.

    Raises
    ------
    ValueError
        If the object is not a plain function, or its source cannot be read.
    """
    require.that(inspect.isfunction(function), "function", _("must be a plain function"), function)
    try:
        text = inspect.getsource(function.__code__).rstrip()
    except (OSError, SyntaxError):
        text = ""
    if not text or text[0].isspace():  # an indented source is that of a nested function
        raise ValueError(_("the source of {name} cannot be read", name=function.__name__))
    return text


def load(entry: str, text: str) -> Callable[..., Any]:
    """Import or define the function whose name and source `source_of` returned, and return it."""
    if not text:
        module, _, name = entry.rpartition(".")
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return function
    namespace: dict[str, Any] = {"__name__": "suspects"}
    exec(compile(text, "<suspect>", "exec"), namespace)
    return namespace[entry]  # type: ignore[no-any-return]


def called(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """Call a function, and return its value or its error as JSON data.

    The data are ``{"value": ...}`` or ``{"raises": ..., "message": ...}``.
    """
    import warnings

    import numpy as np

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return {"value": encode(reduce(function(*decode(args), **decode({"dict": kwargs}))))}
    except NotPlainError as error:
        return {"raises": "TypeError", "message": str(error)}
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _RAISED]
        return {"raises": names[0], "message": readable(str(error))}


#: Names of the built-in errors that can be created from a message alone. If an implementation
#: raises an error, the student's test in the sandbox gets an error with one of these names.
_RAISED: Final = frozenset(
    name
    for name, kinds in ERRORS.items()
    if "Exception" in kinds and "UnicodeError" not in kinds[1:] and "ExceptionGroup" not in kinds
)


class Implementations:
    """Functions by an author (implementations), which are called in a process with limits.

    Parameters
    ----------
    sources
        A pair from `source_of` for each implementation.
    """

    _shared: dict[str, Implementations] = {}  # noqa: RUF012

    def __init__(self, sources: list[tuple[str, str]]) -> None:
        self._sources = sources
        self._process: subprocess.Popen[str] | None = None
        self._busy = threading.Lock()

    @classmethod
    def of(cls, sources: list[tuple[str, str]]) -> Implementations:
        """Return the instance for these sources, which all submissions in this process share."""
        # the key contains the process id, because a worker that is forked from this process must
        # not send calls through a pipe of this process
        return cls._shared.setdefault(json.dumps([os.getpid(), sources]), cls(sources))

    def call(self, number: int, args: Any, kwargs: Any) -> dict[str, Any]:
        """Call the implementation with the index `number`, and return its reply.

        The result is `ENDED` if the call takes too much time or memory.
        """
        with self._busy:
            # an idle process may have ended by itself; then try a new process. If the new process
            # ends, too, the call exceeds the limits
            for new in (True,) if self._process is None else (False, True):
                if new:
                    self._start()
                try:
                    return self._ask([number, args, kwargs])  # type: ignore[no-any-return]
                except OSError:
                    self.close()
            return dict(ENDED)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        try:
            self._ask(self._sources)
        except OSError:
            raise RuntimeError("the implementations of a test cannot be loaded") from None

    def _ask(self, data: Any) -> Any:
        """Send JSON data to the process, and return its reply; raise an OSError if it has ended."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        print(json.dumps(data, allow_nan=False), file=process.stdin, flush=True)
        line = process.stdout.readline()
        if not line.endswith("\n"):
            raise BrokenPipeError
        return json.loads(line)

    def close(self) -> None:
        """End the process that calls the implementations, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@atexit.register
def close_all() -> None:
    """End all processes that call implementations and that this process has started."""
    for one in list(Implementations._shared.values()):
        one.close()


def allow(seconds: float) -> None:
    """End this process after a number of seconds of computing, even during a call into C code.

    Windows has no timer for computing time, so the limit there is on elapsed time. A later call
    replaces the limit, and 0 removes it.
    """
    if hasattr(signal, "setitimer"):
        # the process has no handler for the timer's signal, so the signal ends it
        signal.setitimer(signal.ITIMER_PROF, seconds)
    elif seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()


def _restrict_memory() -> None:
    """Limit the memory of this process, where the system can (not on Windows)."""
    with contextlib.suppress(ModuleNotFoundError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve() -> None:
    """Run the process that calls implementations: answer each line of JSON with one line."""
    _restrict_memory()
    out = sys.stdout
    sys.stdout = sys.stderr
    functions = [load(*source) for source in json.loads(sys.stdin.readline())]
    print('"ready"', file=out, flush=True)
    while True:
        # end an idle process by a timer, because on Windows, reading a pipe has no time limit
        faulthandler.dump_traceback_later(IDLE_SECONDS, exit=True)
        line = sys.stdin.readline()
        faulthandler.cancel_dump_traceback_later()
        if not line.endswith("\n"):
            return
        number, args, kwargs = json.loads(line)
        allow(CALL_SECONDS)
        reply = called(functions[number], args, kwargs)
        allow(0)
        print(json.dumps(reply, allow_nan=False), file=out, flush=True)
