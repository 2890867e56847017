"""Make this Python look to dpteach as on Windows.

Python imports this module when it starts with its folder on PYTHONPATH, in kernels, too. Modules
that Windows lacks cannot be imported, functions and constants that it lacks are gone, only sockets
can be waited for, and a file that dpteach opens without naming an encoding is an error.
"""

from __future__ import annotations

import builtins
import os
import selectors
import signal
import socket
import sys
import warnings
from typing import Any

MODULES = {"fcntl", "grp", "pwd", "resource", "termios"}
#: the packages that are deceived; others choose their code by the name of the platform
DECEIVED = {"dpteach"}

OF_OS = ("fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo", "register_at_fork", "setsid")
FLAGS = ("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH")
OF_SIGNAL = ("SIGALRM", "SIGKILL", "alarm", "getitimer", "setitimer", "ITIMER_REAL", "ITIMER_PROF")


def deceived() -> bool:
    """Return whether one of these packages called the function that asks this."""
    return str(sys._getframe(2).f_globals.get("__name__", "")).partition(".")[0] in DECEIVED


original = builtins.__import__


def importing(name: str, *rest: Any, **named: Any) -> Any:
    """Import a module as usual, unless Windows lacks it."""
    if name in MODULES and deceived():
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    return original(name, *rest, **named)


class Lacking(type(os)):
    """A module some of whose names exist for Python itself only."""

    lacking: frozenset[str]

    def __getattribute__(self, name: str) -> Any:
        if name in type(self).lacking and deceived():
            raise AttributeError(
                f"module has no attribute {name!r} on Windows", name=name, obj=self
            )
        return super().__getattribute__(name)


class LackingOs(Lacking):
    lacking = frozenset({*OF_OS, *FLAGS})


class LackingSignal(Lacking):
    lacking = frozenset(OF_SIGNAL)


os.__class__, signal.__class__ = LackingOs, LackingSignal
builtins.__import__ = importing

register = selectors.DefaultSelector.register


def registering(self: Any, fileobj: Any, *rest: Any) -> Any:
    """Wait for a file as usual, unless Windows cannot."""
    if deceived() and not isinstance(fileobj, socket.socket):
        raise OSError("an operation was attempted on something that is not a socket")
    return register(self, fileobj, *rest)


selectors.DefaultSelector.register = registering
warnings.filterwarnings("error", category=EncodingWarning, module="dpteach")
