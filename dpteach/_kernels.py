"""Jupyter kernels that communicate through sockets in a private folder.

A kernel over TCP is given ports that were free a moment ago, but another process may take these
ports first. No other user's process can take a socket in a folder that only the user can enter.
"""

from __future__ import annotations

import functools
import itertools
import os
import tempfile
import threading
from typing import Any, Final

#: the longest path that a socket may have on Linux and macOS, in bytes
LONGEST: Final = 103
#: the length of the longest name in the folder of sockets: a slash, the kernel's number, a hyphen
#: and the socket's number
_NAME: Final = len("/100000-5")


@functools.cache
def _folder(process: int) -> tempfile.TemporaryDirectory[str]:
    """Create and return the private folder of a process; it is deleted when the process ends."""
    place = tempfile.gettempdir()
    if len(os.fsencode(f"{place}/dpteach-12345678")) + _NAME > LONGEST:
        place = "/tmp"
    return tempfile.TemporaryDirectory(prefix="dpteach-", dir=place, ignore_cleanup_errors=True)


@functools.cache
def private_kernels() -> None:
    """Make all kernels that this process starts from now on use sockets in a private folder.

    On Windows kernels keep using TCP, because Windows lacks sockets in the file system.
    """
    import zmq
    from jupyter_client.manager import KernelManager

    if not zmq.has("ipc"):
        return
    numbers, manager, alone = itertools.count(), KernelManager.__init__, threading.Lock()

    @functools.wraps(manager)
    def private(self: Any, *args: Any, **traits: Any) -> None:
        if traits.setdefault("transport", "ipc") == "ipc":
            with alone:
                # hold the lock, so that two threads do not create two folders at once: the cache
                # of `_folder` would keep only one folder, and the other would be deleted while its
                # kernel runs
                traits.setdefault("ip", f"{_folder(os.getpid()).name}/{next(numbers)}")
        manager(self, *args, **traits)

    KernelManager.__init__ = private  # type: ignore[method-assign]
