"""The command that starts the warm process in bubblewrap, where it sees only Python and libraries.

The warm process imports the libraries once, so that each kernel that is forked from it starts fast.
The command depends on the user who grades, but the kernels (the processes that run students' code)
are equally restricted in both cases:

- As root, bubblewrap makes the namespaces and mounts as root. The warm process keeps the rights to
  make new ones for each kernel. Each kernel becomes a user with an unused number, without groups or
  capabilities, and cannot regain them.
- As an ordinary user, bubblewrap makes the namespaces in a user namespace. The warm process has no
  rights, and the namespaces of each kernel belong to a further user namespace.

The sandbox shows the system's libraries, the interpreter with its standard library, and the
installed packages except `dpteach`, all read-only and under paths that reveal nothing about the
machine, and a new `/dev`. Interpreter options disable every ``.pth`` file. Each kernel gets its own
`/proc`, and its own `/tmp`, the only folder that it can write (`inside.walls`).
"""

from __future__ import annotations

import os
import secrets
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

#: folders inside the sandbox: of Python, of installed packages, and of the grader's own files
PYTHON, SITE, FILES = "/python", "/site", "/grading"

#: options of Python: no packages of the user, no ``.pth`` files, no imports from the current
#: folder, and no writing of compiled files
OPTIONS = ("-s", "-S", "-P", "-B")

#: the Python code that the warm process runs, in bubblewrap or without it. It adds a folder, its
#: first argument, to the import path, and imports the module ``launcher`` from there instead of
#: running it as a script, because Python stores the compiled code of imported modules only
START = "import sys; sys.path[:0] = [sys.argv[1]]; import launcher; launcher.main()"

#: the smallest user number (uid) under which a kernel runs, and how many such numbers there are.
#: No system assigns these numbers to users, because they are above systemd's ranges for containers
#: and below 2^31
_FIRST_UID, _UIDS = 0x7000_0000, 0x0FFF_0000

#: the environment variables of a kernel. They are the same on every machine, and make libraries use
#: only one core, so that the same code gives the same results
ENVIRONMENT: Mapping[str, str] = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "LOGNAME": "student",
    "MALLOC_ARENA_MAX": "2",
    # show a plot below the cell that draws it, as in a student's notebook
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": "/tmp/.matplotlib",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
    "USER": "student",
}


def site_folders() -> list[str]:
    """Return the folders with installed packages from which this process imports."""
    names = ("site-packages", "dist-packages")
    found = [os.path.realpath(path) for path in sys.path if Path(path).name in names]
    return [path for path in dict.fromkeys(found) if os.path.isdir(path)]


def is_root() -> bool:
    """Return whether the grader runs as root and has a user number (uid) to spare for a kernel."""
    return os.geteuid() == 0 and throwaway() is not None


def throwaway() -> int | None:
    """Return an unused user number for a kernel, or None if this user namespace has too few."""
    try:
        lines = Path("/proc/self/uid_map").read_text("ascii").splitlines()
        first, _, count = max((tuple(map(int, line.split())) for line in lines), key=lambda r: r[2])
    except (OSError, ValueError):
        return None
    if first + count >= _FIRST_UID + _UIDS:
        return _FIRST_UID + secrets.randbelow(_UIDS)
    # a container may have few user numbers; draw one from the upper half, as lower ones are in use
    return first + count - 1 - secrets.randbelow(count // 2) if count >= 2048 else None


def command(files: Mapping[str, str]) -> tuple[list[str], bytes, list[str]]:
    """Return the command and the arguments with which bubblewrap starts the warm process.

    This process imports the libraries once, and later forks the kernels.

    Parameters
    ----------
    files
        The paths of files that the sandbox shows, by their paths inside the sandbox, including
        ``FILES/launcher.py``.

    Returns
    -------
    list of str, bytes, list of str
        The command that bubblewrap executes; the arguments of bubblewrap, which it must read from a
        descriptor because processes in the sandbox can see its command line; and the paths inside
        the sandbox of the folders with packages.
    """
    interpreter, python = _python()
    folders = {f"{SITE}/{i}": folder for i, folder in enumerate(site_folders())}
    words = [*_apart(is_root()), *_system(), *python]
    for inside, folder in folders.items():
        words += _packages(folder, inside)
    for there, here in files.items():
        words += _bound(here, there)
    # make the root folder read-only. `inside.walls` later mounts a writable /tmp for each kernel
    words += ["--dir", "/tmp", "--remount-ro", "/", "--chdir", "/tmp"]
    run = [interpreter, *OPTIONS, "-c", START, FILES]
    return run, b"".join(os.fsencode(word) + b"\0" for word in words), list(folders)


def _apart(root: bool) -> list[str]:
    """Return bubblewrap's arguments for new namespaces and for the environment variables."""
    if root:
        words = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
        words += " --cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP"
        words += " --cap-add CAP_SYS_ADMIN"
    else:
        words = "--unshare-all --unshare-user --uid 1000 --gid 1000 --cap-drop ALL"
    words += " --as-pid-1 --die-with-parent --new-session --hostname sandbox --clearenv"
    told = words.split()
    for name, value in ENVIRONMENT.items():
        told += ["--setenv", name, value]
    return told


def _bound(here: str, there: str, how: str = "--ro-bind") -> list[str]:
    """Return bubblewrap's arguments that mount the path `here` as `there`, by the option `how`."""
    # create the parent folders, because only root can enter those that bubblewrap creates itself
    parents = [str(parent) for parent in reversed(Path(there).parents[:-1])]
    return [*(word for parent in parents for word in ("--dir", parent)), how, here, there]


def _hidden(folder: str) -> list[str]:
    """Return bubblewrap's arguments that hide a folder by mounting an empty one over it."""
    return ["--tmpfs", folder, "--remount-ro", folder]


def _system() -> list[str]:
    """Return bubblewrap's arguments that mount /proc, devices and the system's libraries."""
    words = ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    shown = ["/etc/ld.so.cache", "/etc/alternatives", "/usr/share/zoneinfo"]
    for name in ("lib", "lib32", "lib64", "libx32"):
        shown.append(f"/usr/{name}")
        if os.path.islink(f"/{name}"):
            words += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        else:
            shown.append(f"/{name}")
    for path in shown:
        words += _bound(path, path, "--ro-bind-try")
    return words


def _python() -> tuple[str, list[str]]:
    """Return the path of Python inside the sandbox, and bubblewrap's arguments that mount it.

    Only the interpreter and its standard library are mounted, not the whole folder of the
    installation, which can be a user's home or contain nbgrader's exchange.
    """
    prefix = Path(os.path.realpath(sys.base_prefix))
    stdlib = Path(os.path.realpath(os.__file__)).parent
    interpreter = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    library = f"{PYTHON}/{stdlib.relative_to(prefix)}"
    inside = f"{PYTHON}/bin/{Path(interpreter).name}"
    words = [*_bound(interpreter, inside), *_bound(str(stdlib), library)]
    dynamic = Path(sysconfig.get_path("platstdlib", vars={"platbase": str(prefix)}))
    if dynamic != stdlib and dynamic.is_dir() and dynamic.is_relative_to(prefix):
        words += _bound(str(dynamic), f"{PYTHON}/{dynamic.relative_to(prefix)}")
    for name in ("site-packages", "dist-packages"):
        if (stdlib / name).is_dir():
            words += _hidden(f"{library}/{name}")
    folder = sysconfig.get_config_var("LIBDIR")
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and folder:
        for file in sorted(Path(os.path.realpath(folder)).glob("libpython*.so*")):
            words += _bound(os.path.realpath(file), f"{PYTHON}/lib/{file.name}")
        words += ["--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib"]
    return inside, words


def _packages(folder: str, inside: str) -> list[str]:
    """Return bubblewrap's arguments that mount a folder of installed packages, except `dpteach`."""
    words = _bound(folder, inside)
    # hide the package dpteach, and the files of an editable installation, which name the folder
    # with its source code
    for path in sorted(Path(folder).glob("*dpteach*")):
        hidden = f"{inside}/{path.name}"
        words += _hidden(hidden) if path.is_dir() else ["--ro-bind", os.devnull, hidden]
    return words
