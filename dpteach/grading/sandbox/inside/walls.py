"""Walls of one sandbox, made by the process between the warm process and the kernel.

The warm process runs in bubblewrap, which has made all files there read-only. The process that it
forks gets everything that two sandboxes must not have in common: namespaces of its own, a new
``/tmp``, a new ``/proc`` that shows its own process only, new terminals, and a user without any
rights. No code of a student runs before all of this is done.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket

#: visible files of ``/proc``: those that never change, and those that a process may read about
#: itself. Files about memory (smaps, pagemap) are hidden, because sandboxes share pages and could
#: influence what others read there
STEADY = ("cpuinfo", "filesystems", "version")
OWN = ("cmdline", "comm", "fd", "fdinfo", "limits", "maps", "stat", "statm", "status")

TMP = "/tmp"

#: flags of unshare(2) for namespaces: of processes; of mounts, the host's name, System V's objects
#: and the network; of control groups, which an old system may not have; and of users, which only an
#: ordinary user needs
_NEW_PROCESSES = 0x20000000
_APART = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000
_CGROUP, _USER = 0x02000000, 0x10000000

#: flags of mount(2)
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_PRIVATE, _MOVE = 1 << 18 | 1 << 14, 8192  # the first one recursively
_PLAIN = _NOSUID | _NODEV
_DETACH = 2  # of umount2(2)
_SET_TID = 0x01000000 | 0x00200000  # of clone(2): set in the child, and cleared at its end

#: operations of prctl(2)
_DEATHSIG, _DUMPABLE, _BOUNDING_DROP, _GET_TID_ADDRESS = 1, 4, 24, 40

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (*(3 * (ctypes.c_char_p,)), ctypes.c_ulong, ctypes.c_char_p)


class WallError(RuntimeError):
    """Error of a system that does not allow a wall."""


def _done(code: int, what: str) -> None:
    if code:
        raise WallError(f"{what}: {os.strerror(ctypes.get_errno())}")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    told = (source.encode(), target.encode(), kind.encode(), flags, options.encode())
    _done(_libc.mount(*told), f"mount {kind} {target}")


def _shut(source: str, target: str) -> None:
    """Show a file in place of another one, read-only."""
    _mount(source, target, "", _BIND)
    _mount("", target, "", _REMOUNT | _BIND | _RDONLY | _PLAIN | _NOEXEC)


def fork() -> int:
    """Fork a process that is the first one of a new namespace of processes.

    Unlike unshare(2), which can prepare only one such namespace, this can be called repeatedly.
    """
    api, number = ctypes.pythonapi, {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    # address of the thread's number in the C library, which the system must write anew
    place = ctypes.c_void_p()
    known = _libc.prctl(_GET_TID_ADDRESS, ctypes.byref(place), 0, 0, 0) == 0
    flags = _NEW_PROCESSES | signal.SIGCHLD | (_SET_TID if known else 0)
    api.PyOS_BeforeFork()
    child = int(ctypes.PyDLL(None).syscall(number, flags, None, None, place, place))
    if child == 0:
        api.PyOS_AfterFork_Child()
    else:
        api.PyOS_AfterFork_Parent()
    if child < 0:
        raise WallError("clone: no new namespace of processes")
    return child


def end_with_parent() -> None:
    """Make this process end with the one that has forked it."""
    _libc.prctl(_DEATHSIG, 9, 0, 0, 0)


def apart(*, root: bool) -> None:
    """Make namespaces for the processes that this one forks.

    Parameters
    ----------
    root
        Whether this process has root's rights. Otherwise it gets the rights of a new user
        namespace.
    """
    user, group = os.getuid(), os.getgid()
    _done(_libc.unshare(_APART | (0 if root else _USER)), "unshare")
    if not root:
        for name, line in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    _libc.unshare(_CGROUP)
    socket.sethostname("sandbox")
    _mount("none", "/", "", _PRIVATE)


def empty(*, disk_bytes: int, disk_files: int) -> None:
    """Mount a new ``/tmp`` of this size in place of an earlier one."""
    os.chdir("/")
    _libc.umount2(TMP.encode(), _DETACH)  # without a check, because the first time there is none
    limit = f"size={disk_bytes},nr_inodes={disk_files},mode=1777"
    _mount("tmpfs", TMP, "tmpfs", _PLAIN, limit)


def hide_processes() -> None:
    """Hide ``/proc`` and the terminals, which a process that answers one question does not need."""
    for place in ("/proc", "/dev/pts"):
        _mount("tmpfs", place, "tmpfs", _RDONLY | _PLAIN | _NOEXEC)


def fix(path: str) -> None:
    """Keep a file from being changed, moved or removed."""
    _shut(path, path)


def show_processes() -> None:
    """Mount a new ``/proc`` and new terminals, in the first process of the new namespaces."""
    _mount("proc", "/proc", "proc", _PLAIN | _NOEXEC)
    _hide_the_machine()
    _mount("devpts", "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=620")


def enter(user: int | None) -> None:
    """Give up all rights, in the first process of the new namespaces.

    Parameters
    ----------
    user
        The user to become, if this process is root; None to remain the same user.
    """
    capability = 0
    while _libc.prctl(_BOUNDING_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    # version 3, for this process: no effective, permitted or inheritable capabilities
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _done(_libc.capset(header, none), "capset")
    # after a change of the user, a process could otherwise not read its own files of /proc
    _libc.prctl(_DUMPABLE, 1, 0, 0, 0)


def _hide_the_machine() -> None:
    """Replace ``/proc`` by a read-only folder that contains only `STEADY` and `OWN`.

    The other files describe the whole machine. For example, one sandbox could raise the load and
    another one read it. There are no folders for threads, because these would contain all files.
    """
    place = f"{TMP}/proc"
    os.mkdir(place)
    _mount("tmpfs", place, "tmpfs", _PLAIN | _NOEXEC, "size=64k,mode=755")
    os.mkdir(f"{place}/1")
    os.symlink("1", f"{place}/self")
    for name in (*STEADY, *(f"1/{own}" for own in OWN)):
        if os.path.isdir(f"/proc/{name}"):
            os.mkdir(f"{place}/{name}")
        else:
            os.close(os.open(f"{place}/{name}", os.O_CREAT, 0o444))
        _mount(f"/proc/{name}", f"{place}/{name}", "", _BIND)
    _mount("", place, "", _REMOUNT | _BIND | _RDONLY | _PLAIN | _NOEXEC)
    _mount(place, "/proc", "", _MOVE)
    os.rmdir(place)
