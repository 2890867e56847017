"""Walls of a sandbox: the namespaces, mounts and user that separate a kernel from all others.

The process between the warm process and the kernel makes the walls. The warm process runs in
bubblewrap, which has made all files read-only. The walls add everything that two sandboxes must not
share: their own namespaces, a new ``/tmp``, a new ``/proc`` that shows only the kernel itself, new
terminals, and a user without any rights. A student's code runs only after all walls are made.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket

#: the visible files of ``/proc``: files that never change, and files about the reading process.
#: Files about memory (smaps, pagemap) are hidden, because sandboxes share pages of memory, so that
#: one could change the content of these files for another
STEADY = ("cpuinfo", "filesystems", "version")
OWN = ("cmdline", "comm", "fd", "fdinfo", "limits", "maps", "stat", "statm", "status")

TMP = "/tmp"

#: flags of unshare(2) for new namespaces: of processes; of mounts, the host's name, System V's
#: objects and the network; of control groups, which old systems lack; and of users, which only an
#: ordinary user needs
_NEW_PROCESSES = 0x20000000
_APART = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000
_CGROUP, _USER = 0x02000000, 0x10000000

#: flags of mount(2)
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_PRIVATE, _MOVE = 1 << 18 | 1 << 14, 8192  # with MS_REC, so that it applies to all mounts below
_PLAIN = _NOSUID | _NODEV
_DETACH = 2  # MNT_DETACH of umount2(2)
_SET_TID = 0x01000000 | 0x00200000  # of clone(2): writes the thread's new number

#: operations of prctl(2)
_DEATHSIG, _DUMPABLE, _BOUNDING_DROP, _GET_TID_ADDRESS = 1, 4, 24, 40

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (*(3 * (ctypes.c_char_p,)), ctypes.c_ulong, ctypes.c_char_p)


class WallError(RuntimeError):
    """Error for a system that does not allow one of the walls."""


def _done(code: int, what: str) -> None:
    if code:
        raise WallError(f"{what}: {os.strerror(ctypes.get_errno())}")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    told = (source.encode(), target.encode(), kind.encode(), flags, options.encode())
    _done(_libc.mount(*told), f"mount {kind} {target}")


def _shut(source: str, target: str) -> None:
    """Mount a file read-only over another file."""
    _mount(source, target, "", _BIND)
    _mount("", target, "", _REMOUNT | _BIND | _RDONLY | _PLAIN | _NOEXEC)


def fork() -> int:
    """Fork a process that becomes the first process of a new namespace of processes.

    It uses clone(2), because unshare(2) can make only one namespace of processes in the life of a
    process.
    """
    api, number = ctypes.pythonapi, {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    # the address at which the C library stores the thread's number, which is new in the child
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
    """Make the system kill this process when the process that forked it ends."""
    _libc.prctl(_DEATHSIG, 9, 0, 0, 0)


def apart(*, root: bool) -> None:
    """Move this process, and so the kernels that it forks, into new namespaces.

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
    """Mount a new, empty ``/tmp`` of limited size, and unmount the one of an earlier kernel."""
    os.chdir("/")
    _libc.umount2(TMP.encode(), _DETACH)  # fails before the first kernel
    limit = f"size={disk_bytes},nr_inodes={disk_files},mode=1777"
    _mount("tmpfs", TMP, "tmpfs", _PLAIN, limit)


def hide_processes() -> None:
    """Mount empty folders over ``/proc`` and the terminals, for kernels that need neither."""
    for place in ("/proc", "/dev/pts"):
        _mount("tmpfs", place, "tmpfs", _RDONLY | _PLAIN | _NOEXEC)


def fix(path: str) -> None:
    """Mount a file read-only over itself, so that it cannot be changed, moved or removed."""
    _shut(path, path)


def show_processes() -> None:
    """Mount a new ``/proc`` and new terminals; to be called in the kernel after its fork."""
    _mount("proc", "/proc", "proc", _PLAIN | _NOEXEC)
    _hide_the_machine()
    _mount("devpts", "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=620")


def enter(user: int | None) -> None:
    """Give up all rights of this process; to be called in the kernel after its fork.

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
    # the header has version 3 and this process; the sets of capabilities are all empty
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _done(_libc.capset(header, none), "capset")
    # a change of the user would otherwise keep a process from reading its own files in /proc
    _libc.prctl(_DUMPABLE, 1, 0, 0, 0)


def _hide_the_machine() -> None:
    """Replace ``/proc`` by a read-only folder that contains only `STEADY` and `OWN`.

    Other files describe the whole machine, so that sandboxes could use them to communicate: one
    could raise the load of the machine, for example, and another could read it. The folders of
    threads are left out, because they contain hidden files, too.
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
