"""Hide from dpteach the modules, functions and constants that Python does not have on Windows.

A Python process imports this module when it starts, if the module's folder is on PYTHONPATH. From
then on, code of dpteach in this process cannot import modules or use names that Windows lacks, can
wait only for sockets, and must name the encoding of each text file that it opens.
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
#: the packages from which modules and functions are hidden. Other packages need the functions of
#: Linux, because `sys.platform` still tells them that they run on Linux
DECEIVED = {"dpteach"}

OF_OS = ("fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo", "register_at_fork", "setsid")
FLAGS = ("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH")
OF_SIGNAL = ("SIGALRM", "SIGKILL", "alarm", "getitimer", "setitimer", "ITIMER_REAL", "ITIMER_PROF")


def deceived() -> bool:
    """Return whether the function that calls `deceived` was called by a package in `DECEIVED`."""
    return str(sys._getframe(2).f_globals.get("__name__", "")).partition(".")[0] in DECEIVED


original = builtins.__import__


def importing(name: str, *rest: Any, **named: Any) -> Any:
    """Import a module; raise an error if code of dpteach imports one that Windows lacks."""
    if name in MODULES and deceived():
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    return original(name, *rest, **named)


class Lacking(type(os)):
    """A class of modules that hide their attributes named in `lacking` from code of dpteach."""

    lacking: frozenset[str]

    def __getattribute__(self, name: str) -> Any:
        """Return an attribute of the module, or raise an error if it is hidden from the caller."""
        if name in type(self).lacking and deceived():
            raise AttributeError(
                f"module has no attribute {name!r} on Windows", name=name, obj=self
            )
        return super().__getattribute__(name)


class LackingOs(Lacking):
    """The class of ``os`` that hides from dpteach the names that ``os`` lacks on Windows."""

    lacking = frozenset({*OF_OS, *FLAGS})


class LackingSignal(Lacking):
    """The class of ``signal`` that hides from dpteach the names that it lacks on Windows."""

    lacking = frozenset(OF_SIGNAL)


os.__class__, signal.__class__ = LackingOs, LackingSignal
builtins.__import__ = importing

register = selectors.DefaultSelector.register


def registering(self: Any, fileobj: Any, *rest: Any) -> Any:
    """Register a file with a selector; for code of dpteach, refuse all files but sockets."""
    if deceived() and not isinstance(fileobj, socket.socket):
        raise OSError("an operation was attempted on something that is not a socket")
    return register(self, fileobj, *rest)


selectors.DefaultSelector.register = registering
warnings.filterwarnings("error", category=EncodingWarning, module="dpteach")
