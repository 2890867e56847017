"""The filter of system calls: what a grading kernel may ask of the system, as a BPF program.

It is put together by hand from the numbers of the calls, for x86_64 and aarch64. A process behind
it can start threads, but no process and no program; it can open local sockets between its own
threads, but none to a network; it cannot trace, mount, change namespaces, outlive its parent, or
hold memory that no limit counts. Everything else is left to the limits, to namespaces, and to
having no rights.

Sandboxes that run at the same time see the same files, read-only: what can be tied to a file all
the same, and felt in another sandbox, is forbidden too: locks, leases, watches, hints, futexes that
are not private, and questions about the cache of files.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import Final

#: instructions of classic BPF
_LOAD, _EQUAL, _ATLEAST, _ANYBIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

#: offsets in the data that the filter sees
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24)

_CLONE_THREAD: Final = 0x10000
_AF_UNIX: Final = 1
_X32: Final = 0x40000000

#: architecture: its audit number
_AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

#: name: number on x86_64, on aarch64 (None: does not exist there)
_FORBIDDEN: Final[dict[str, tuple[int | None, int | None]]] = {
    # processes and programs
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # memory that the limit on the address space does not count
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    # what is tied to a file that others see as well
    "flock": (73, 32),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "mincore": (27, 232),
    "preadv2": (327, 286),
    "cachestat": (451, 451),
    "io_setup": (206, 0),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    # numbers that are those of the whole machine
    "sysinfo": (99, 179),
    # large doors into the system
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "syslog": (103, 116),
    "acct": (163, 89),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "uselib": (134, None),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    "vhangup": (153, 58),
}

_CLONE3: Final = 435
_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_PR_SET_PDEATHSIG: Final = 1
_PRCTL: Final = {"x86_64": 157, "aarch64": 167}
#: fadvise64, and utime, utimes, futimesat, utimensat
_UNHEARD: Final = {"x86_64": (221, 132, 235, 261, 280), "aarch64": (223, 88)}
_FUTEX: Final = {"x86_64": 202, "aarch64": 98}
_FUTEX_PRIVATE: Final = 0x80
_FCNTL: Final = {"x86_64": 72, "aarch64": 25}
#: what may be done with a descriptor: F_DUPFD, the flags, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
_FCNTL_COMMANDS: Final = (0, 1, 2, 3, 4, 1030, 1032)
_SOCKET: Final = {"x86_64": 41, "aarch64": 198}
_SOCKETPAIR: Final = {"x86_64": 53, "aarch64": 199}


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def program(machine: str | None = None) -> bytes:
    """The filter for this machine, or no bytes at all where the calls' numbers are not known.

    Parameters
    ----------
    machine
        As `platform.machine` names it; None for this one.

    Examples
    --------
    >>> len(program("x86_64")) % 8, program("mips")
    (0, b'')
    """
    machine = platform.machine() if machine is None else machine
    if machine not in _AUDIT:
        return b""
    column = list(_AUDIT).index(machine)
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT[machine], yes=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        # the same calls have other numbers for programs of the x32 kind
        steps += [_step(_ATLEAST, _X32, no=1), _step(_RETURN, _KILL)]
    # the C library then starts a thread by clone, whose flags can be looked at
    steps += [_step(_EQUAL, _CLONE3, no=1), _step(_RETURN, _FAIL | errno.ENOSYS)]
    for numbers in _FORBIDDEN.values():
        number = numbers[column]
        if number is not None:
            steps += [_step(_EQUAL, number, no=1), _step(_RETURN, _FAIL | errno.EPERM)]
    # advice on the cache of a file, and times of files (of a device, which all share, anybody may
    # set them to now): who asks is told that it is done, as what copies a file does not expect less
    for number in _UNHEARD[machine]:
        steps += [_step(_EQUAL, number, no=1), _step(_RETURN, _FAIL)]
    commands = len(_FCNTL_COMMANDS)
    steps += [_step(_EQUAL, _FCNTL[machine], no=commands + 3), _step(_LOAD, _ARGUMENTS[1])]
    for i, value in enumerate(_FCNTL_COMMANDS):
        steps.append(_step(_EQUAL, value, yes=commands - i))
    steps += [_step(_RETURN, _FAIL | errno.EPERM), _step(_RETURN, _ALLOW)]
    # of a few an argument decides: equal, or one bit of it, and then allowed or not
    for number, argument, test, value, allowed, error in (
        (_CLONE[machine], 0, _ANYBIT, _CLONE_THREAD, True, errno.EPERM),
        (_SOCKET[machine], 0, _EQUAL, _AF_UNIX, True, errno.EAFNOSUPPORT),
        (_SOCKETPAIR[machine], 0, _EQUAL, _AF_UNIX, True, errno.EAFNOSUPPORT),
        # who could take back that it ends with its parent would outlive the grader
        (_PRCTL[machine], 0, _EQUAL, _PR_SET_PDEATHSIG, False, errno.EPERM),
        # the C library waits for a thread that ends with one that is not private, and asks again
        (_FUTEX[machine], 1, _ANYBIT, _FUTEX_PRIVATE, True, errno.EAGAIN),
    ):
        steps += [
            _step(_EQUAL, number, no=4),
            _step(_LOAD, _ARGUMENTS[argument]),
            _step(test, value, yes=int(allowed), no=int(not allowed)),
            _step(_RETURN, _FAIL | error),
            _step(_RETURN, _ALLOW),
        ]
    steps.append(_step(_RETURN, _ALLOW))
    return b"".join(steps)
