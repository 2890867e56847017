"""Kernels over sockets in a private folder.

A kernel over TCP is told ports that were free a moment ago, which another process may have taken
since. A socket in a folder that only this user can enter has no such rival.
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
#: what follows the folder in such a path: a slash, the kernel's number and that of its socket
_NAME: Final = len("/100000-5")


@functools.cache
def _folder(process: int) -> tempfile.TemporaryDirectory[str]:
    """The folder of a process, which it removes when it ends; its mode is 0700."""
    place = tempfile.gettempdir()
    if len(os.fsencode(f"{place}/dpteach-12345678")) + _NAME > LONGEST:
        place = "/tmp"
    return tempfile.TemporaryDirectory(prefix="dpteach-", dir=place, ignore_cleanup_errors=True)


@functools.cache
def private_kernels() -> None:
    """Give each kernel that this process starts from now on sockets in a private folder.

    On Windows, which has no such sockets, kernels stay on TCP.
    """
    import zmq
    from jupyter_client.manager import KernelManager

    if not zmq.has("ipc"):
        return
    numbers, manager, alone = itertools.count(), KernelManager.__init__, threading.Lock()

    @functools.wraps(manager)
    def private(self: Any, *args: Any, **traits: Any) -> None:
        if traits.setdefault("transport", "ipc") == "ipc":
            with alone:  # two threads would make two folders, of which the one not kept is removed
                traits.setdefault("ip", f"{_folder(os.getpid()).name}/{next(numbers)}")
        manager(self, *args, **traits)

    KernelManager.__init__ = private  # type: ignore[method-assign]
