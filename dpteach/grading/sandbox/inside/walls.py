"""The walls of a sandbox: the namespaces, mounts and user that separate it from other sandboxes.

A process that has imported libraries (the warm process) runs in bubblewrap with read-only files.
Its child makes the walls of one sandbox, and the grandchild, called the kernel, runs a student's
code. The walls are everything that two sandboxes must not share: their own namespaces, a new
``/tmp``, a new ``/proc`` that shows only the kernel itself, new terminals, and a user without any
rights. A student's code runs only after all walls are made.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket

#: the files of ``/proc`` that a sandbox can see: files that never change, and files about the
#: process that reads them. Files about memory (smaps, pagemap) are hidden: sandboxes share pages
#: of memory, so one sandbox could change what another sandbox reads in these files
STEADY = ("cpuinfo", "filesystems", "version")
OWN = ("cmdline", "comm", "fd", "fdinfo", "limits", "maps", "stat", "statm", "status")

TMP = "/tmp"

#: flags of unshare(2) for new namespaces: first for processes; then for mounts, the host's name,
#: System V's objects and the network; then for control groups, which old systems lack; last for
#: users, which are needed only if the grader is not root
_NEW_PROCESSES = 0x20000000
_APART = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000
_CGROUP, _USER = 0x02000000, 0x10000000

#: flags of mount(2)
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
# MS_PRIVATE with MS_REC, which includes all mounts below a folder
_PRIVATE, _MOVE = 1 << 18 | 1 << 14, 8192
_PLAIN = _NOSUID | _NODEV
_DETACH = 2  # MNT_DETACH of umount2(2)
_SET_TID = 0x01000000 | 0x00200000  # flags of clone(2) to write the new thread id

#: operations of prctl(2)
_DEATHSIG, _DUMPABLE, _BOUNDING_DROP, _GET_TID_ADDRESS = 1, 4, 24, 40

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (*(3 * (ctypes.c_char_p,)), ctypes.c_ulong, ctypes.c_char_p)


class WallError(RuntimeError):
    """Error for a system that refuses to make a namespace or mount of the sandbox."""


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
    """Fork a process that becomes the first process (PID 1) of a new namespace of processes.

    The function uses clone(2), because a process can make only one namespace of processes by
    unshare(2).
    """
    api, number = ctypes.pythonapi, {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    # the address at which the C library stores this thread's id. In the new process, Linux must
    # replace this id by that process's own
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
    """Make the system kill this process when its parent process ends."""
    _libc.prctl(_DEATHSIG, 9, 0, 0, 0)


def apart(*, root: bool) -> None:
    """Move this process, and so the processes that it forks later, into new namespaces.

    Parameters
    ----------
    root
        Whether this process has root's rights. Otherwise it also makes a user namespace, in which
        it has these rights.
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
    """Mount a new, empty ``/tmp`` of limited size, and unmount that of an earlier kernel."""
    os.chdir("/")
    # an error is ignored, because nothing is mounted before the first kernel
    _libc.umount2(TMP.encode(), _DETACH)
    limit = f"size={disk_bytes},nr_inodes={disk_files},mode=1777"
    _mount("tmpfs", TMP, "tmpfs", _PLAIN, limit)


def hide_processes() -> None:
    """Hide ``/proc`` and the terminals under empty folders, for processes that do not need them."""
    for place in ("/proc", "/dev/pts"):
        _mount("tmpfs", place, "tmpfs", _RDONLY | _PLAIN | _NOEXEC)


def fix(path: str) -> None:
    """Mount a file read-only over itself, so that it cannot be changed, moved or removed."""
    _shut(path, path)


def show_processes() -> None:
    """Mount a new ``/proc`` and new terminals for this process, the kernel."""
    _mount("proc", "/proc", "proc", _PLAIN | _NOEXEC)
    _hide_the_machine()
    _mount("devpts", "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=620")


def enter(user: int | None) -> None:
    """Give up all rights of this process, the kernel.

    Parameters
    ----------
    user
        The number of the user that this process becomes, if it is root; None to remain the same
        user.
    """
    capability = 0
    while _libc.prctl(_BOUNDING_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    # arguments of capset(2) that take all capabilities from this process: version 3, and empty sets
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _done(_libc.capset(header, none), "capset")
    # after a change of its user, a process can read its own files in /proc only if it sets the
    # flag _DUMPABLE
    _libc.prctl(_DUMPABLE, 1, 0, 0, 0)


def _hide_the_machine() -> None:
    """Replace ``/proc`` by a read-only folder with only the files `STEADY` and `OWN`.

    Other files describe the whole machine, so that sandboxes could use them to communicate. For
    example, one sandbox could raise the machine's load, and another could read the load. A
    process's folder ``task`` is left out, because the folders of threads in it contain smaps, which
    must be hidden (see `STEADY`).
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
