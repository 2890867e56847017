"""The filter of the system calls of a process with a student's code, as a BPF program for seccomp.

The filter is an allow-list: a system call that is not listed here fails. `program` assembles it
from the numbers of the calls on x86_64 and aarch64. A filtered process can start threads, but no
other process or program. It can make socket pairs for its own threads, but cannot connect to other
sockets. It cannot trace, mount, change namespaces, outlive its parent, or hold memory that no limit
counts.

The list contains the calls that a filtered process made, as ``strace -ff`` recorded them on x86_64
with Python 3.11 and glibc 2.36. The process executed some 270 cells (plots, files, threads, event
loops, magics, errors, scipy) and called students' functions as in grading. The list also contains
the calls that other releases of Python, other C libraries and aarch64 make for the same purposes.

Sandboxes that run at the same time see the same read-only files. One sandbox must not signal to
another through state that the system attaches to such a file or counts for the whole machine. The
list therefore leaves out locks, leases, watches, hints, futexes that are not private, queries
of the page cache, descriptors in flight between sockets, queued signals, and the cookies that
number sockets.
"""

from __future__ import annotations

import errno
import struct
from typing import Final

#: codes of the BPF instructions that `_step` writes: load a word; jump if the loaded word equals a
#: value, is at least a value, or shares a bit with a value; return a verdict
_LOAD, _EQUAL, _ATLEAST, _ANYBIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

#: offsets of the words that the filter can load: number of the call, architecture, and the call's
#: first three arguments
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24, 32)

_X32: Final = 0x40000000

#: the number by which a filter recognizes each architecture (AUDIT_ARCH in Linux)
_AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

#: the allowed calls: name, number on x86_64, number on aarch64 (a hyphen if the call is missing)
_ALLOWED: Final = """
    read 0 63, write 1 64, close 3 57, lseek 8 62, pread64 17 67, pwrite64 18 68, readv 19 65,
    writev 20 66, dup 32 23, dup2 33 -, dup3 292 24, pipe2 293 59, ioctl 16 29, fsync 74 82,
    fdatasync 75 83, sendfile 40 71, copy_file_range 326 285, poll 7 -, ppoll 271 73, select 23 -,
    pselect6 270 72, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22,

    open 2 -, openat 257 56, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291,
    statfs 137 43, fstatfs 138 44, access 21 -, faccessat 269 48, faccessat2 439 439,
    getdents64 217 61, getcwd 79 17, chdir 80 49, umask 95 166, truncate 76 45, ftruncate 77 46,
    rename 82 -, renameat 264 38, mkdir 83 -, mkdirat 258 34, rmdir 84 -, link 86 -, linkat 265 37,
    unlink 87 -, unlinkat 263 35, symlink 88 -, symlinkat 266 36, readlink 89 -, readlinkat 267 78,
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, getxattr 191 8, lgetxattr 192 9,
    fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, flistxattr 196 13,

    mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, madvise 28 233, msync 26 227,
    brk 12 214,

    shutdown 48 210, sendto 44 206, recvfrom 45 207, recvmsg 47 212, getsockname 51 204,
    getpeername 52 205,

    exit 60 93, exit_group 231 94, wait4 61 260, set_robust_list 273 99, rseq 334 293,
    sched_yield 24 124, sched_getaffinity 204 123, getcpu 309 168, getpriority 140 141,
    setpriority 141 140,

    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
    rt_sigtimedwait 128 137, sigaltstack 131 132, kill 62 129, tgkill 234 131, pause 34 -,
    restart_syscall 219 128,

    time 201 -, gettimeofday 96 169, clock_gettime 228 113, clock_getres 229 114,
    clock_nanosleep 230 115, nanosleep 35 101, getitimer 36 102, setitimer 38 103, alarm 37 -,
    times 100 153, getrandom 318 278,

    getpid 39 172, getppid 110 173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176,
    getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158, getpgrp 111 -,
    getpgid 121 155, getsid 124 156, uname 63 160, prlimit64 302 261, getrusage 98 165
"""

#: system calls that the filter skips and reports as successful: fadvise64, utime, utimes,
#: futimesat, utimensat (advice on the page cache, and times of files). Code that copies files would
#: stop if these calls failed
_IGNORED: Final = {"x86_64": (221, 132, 235, 261, 280), "aarch64": (223, 88)}

#: the number of the system call clone3. The filter reports it as missing, so that the C library
#: starts threads by clone: a filter can read the flags of clone, but not those of clone3, which are
#: in memory
_CLONE3: Final = 435

#: the first number that no system call had when `_ALLOWED` was written. The filter reports newer
#: calls as missing, so that libraries use older calls instead
_NEWER: Final = 468

#: system calls that are allowed if an argument passes a test, as tuples: the call's numbers on
#: x86_64 and aarch64, the index of the argument, the test, the values (one of which must pass the
#: test), and the error if the test fails
_DECIDED: Final = (
    # allow clone only with the flags by which glibc and musl start a thread
    ((56, 220), 0, _EQUAL, (0x3D0F00, 0x7D0F00), errno.EPERM),
    # allow socket and socketpair only for the family AF_UNIX
    ((41, 198), 0, _EQUAL, (1,), errno.EAFNOSUPPORT),
    ((53, 199), 0, _EQUAL, (1,), errno.EAFNOSUPPORT),
    # allow getsockopt and setsockopt only for ordinary options of sockets, not for those that read
    # the system's number of a socket (SO_COOKIE) or attach a filter
    ((55, 209), 2, _EQUAL, (2, 3, 4, 7, 8, 9, 13, 17, 18, 20, 21, 30, 38, 39, 66, 67), errno.EPERM),
    ((54, 208), 2, _EQUAL, (2, 7, 8, 9, 13, 16, 18, 20, 21, 66, 67), errno.EPERM),
    # allow prctl only for names of threads and of memory, and for PR_GET_DUMPABLE, PR_CAPBSET_READ
    # and PR_GET_NO_NEW_PRIVS. By PR_SET_PDEATHSIG, a process could prevent its end with the grader
    ((157, 167), 0, _EQUAL, (3, 15, 16, 23, 39, 0x53564D41), errno.EPERM),
    # allow fcntl only for F_DUPFD, flags, F_DUPFD_CLOEXEC and F_GETPIPE_SZ
    ((72, 25), 1, _EQUAL, (0, 1, 2, 3, 4, 1030, 1032), errno.EPERM),
    # allow only private futexes, because other futexes work across processes. The C library waits
    # for a thread to end by a futex that is not private; if it gets EAGAIN, it checks again whether
    # the thread has ended
    ((202, 98), 1, _ANYBIT, (0x80,), errno.EAGAIN),
)


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def program(machine: str) -> bytes:
    """Return the seccomp filter for a processor architecture; b"" if none is known for it.

    Parameters
    ----------
    machine
        The name of the architecture that `platform.machine` returns.

    Examples
    --------
    >>> len(program("x86_64")) % 8, program("mips")
    (0, b'')
    """
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
        # kill a process that makes a system call of the x32 interface, because the numbers in the
        # tests below belong to another interface
        steps += [_step(_ATLEAST, _X32, no=1), _step(_RETURN, _KILL)]
    steps += [_step(_ATLEAST, _NEWER, no=1), _step(_RETURN, _FAIL | errno.ENOSYS)]
    answers = {int(row.split()[column + 1]): _ALLOW for row in _rows(column)}
    answers |= {**dict.fromkeys(_IGNORED[machine], _FAIL), _CLONE3: _FAIL | errno.ENOSYS}
    for number, answer in answers.items():
        steps += [_step(_EQUAL, number, no=1), _step(_RETURN, answer)]
    for numbers, argument, test, values, error in _DECIDED:
        count = len(values)
        steps += [
            _step(_EQUAL, numbers[column], no=count + 3),
            _step(_LOAD, _ARGUMENTS[argument]),
            *(_step(test, value, yes=count - i) for i, value in enumerate(values)),
            _step(_RETURN, _FAIL | error),
            _step(_RETURN, _ALLOW),
        ]
    steps.append(_step(_RETURN, _FAIL | errno.EPERM))
    return b"".join(steps)


def _rows(column: int) -> list[str]:
    """Return the rows of `_ALLOWED` for calls that exist on an architecture."""
    rows = [row for row in map(str.strip, _ALLOWED.replace("\n", " ").split(",")) if row]
    return [row for row in rows if row.split()[column + 1] != "-"]
