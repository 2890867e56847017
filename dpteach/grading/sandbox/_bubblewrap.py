"""The command that starts the warm process in bubblewrap, with nothing in sight but Python itself.

Two ways, which give the same:

- As root, bubblewrap makes the namespaces and mounts as root. The warm process keeps the rights to
  do so for each kernel that it forks, which becomes a user that nobody else is, without groups,
  capabilities, or the way to new ones.
- As an ordinary user, the namespaces stand in a user namespace. The warm process has no rights;
  each kernel's namespaces stand in one more user namespace of their own.

What is in sight: the system's libraries, the interpreter with its standard library, and the
installed packages without `dpteach`, all read-only and at neutral places, and a new `/dev`.
Interpreter options leave out every ``.pth`` file. What a kernel can write, and its `/proc`, is
made for it alone (`inside.walls`).
"""

from __future__ import annotations

import os
import secrets
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

#: where things are inside
PYTHON, SITE, FILES = "/python", "/site", "/grading"

#: no folder of the user's, no ``.pth`` files, nothing of the current folder, nothing written
OPTIONS = ("-s", "-S", "-P", "-B")

#: from a folder of its own the launcher is imported, and so can be compiled before
START = "import sys; sys.path[:0] = [sys.argv[1]]; import launcher; launcher.main()"

#: users that no system hands out (above systemd's container ranges, below 2^31)
_FIRST_UID, _UIDS = 0x7000_0000, 0x0FFF_0000

#: the same work takes the same path each time, on one core
ENVIRONMENT: Mapping[str, str] = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "LOGNAME": "student",
    "MALLOC_ARENA_MAX": "2",
    # a plot is shown where it is made, as in a student's notebook
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
    """Tell whether bubblewrap makes mounts as root, so that sandboxed processes change user."""
    return os.geteuid() == 0 and throwaway() is not None


def throwaway() -> int | None:
    """Return a user's number that nothing else has; None if this user namespace has none."""
    try:
        lines = Path("/proc/self/uid_map").read_text("ascii").splitlines()
        first, _, count = max((tuple(map(int, line.split())) for line in lines), key=lambda r: r[2])
    except (OSError, ValueError):
        return None
    if first + count >= _FIRST_UID + _UIDS:
        return _FIRST_UID + secrets.randbelow(_UIDS)
    # a container's namespace: the upper half of what it was given
    return first + count - 1 - secrets.randbelow(count // 2) if count >= 2048 else None


class _Words:
    """Arguments of bubblewrap, in the order in which it obeys them."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._made: set[Path] = set()

    def say(self, *words: object) -> None:
        self.told.extend(map(str, words))

    def bind(self, here: object, there: str, how: str = "--ro-bind") -> None:
        """Show a file or folder of this machine under a path inside."""
        for parent in reversed(Path(there).parents[:-1]):
            if parent not in self._made:
                self.say("--dir", parent)
                self._made.add(parent)
        self.say(how, here, there)

    def hide(self, there: str) -> None:
        """Show an empty folder, read-only because all sandboxes share it."""
        self.say("--tmpfs", there, "--remount-ro", there)


def command(files: Mapping[str, str]) -> tuple[list[str], bytes, list[str]]:
    """Return how to run the launcher in bubblewrap.

    Parameters
    ----------
    files
        Files that are in sight, by their path inside, ``FILES/launcher.py`` among them.

    Returns
    -------
    list of str, bytes, list of str
        What bubblewrap is to execute; its own arguments, to be read from a descriptor: a command
        line can be seen in the sandbox; and the folders with packages, as they are called inside.
    """
    words = _Words()
    _apart(words, is_root())
    _system(words)
    interpreter = _python(words)
    packages = _packages(words)
    for there, here in files.items():
        words.bind(here, there)
    # each kernel has another /tmp there, which it can write
    words.say("--dir", "/tmp", "--remount-ro", "/", "--chdir", "/tmp")
    run = [interpreter, *OPTIONS, "-c", START, FILES]
    told = b"".join(os.fsencode(word) + b"\0" for word in words.told)
    return run, told, packages


def _apart(words: _Words, root: bool) -> None:
    """Ask for new namespaces, and for an environment that is the same on every machine."""
    say = words.say
    if root:
        say("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
        say("--unshare-cgroup-try", "--cap-drop", "ALL")
        for capability in ("SETUID", "SETGID", "SETPCAP", "SYS_ADMIN"):
            say("--cap-add", f"CAP_{capability}")
    else:
        say("--unshare-all", "--unshare-user", "--uid", 1000, "--gid", 1000, "--cap-drop", "ALL")
    say("--as-pid-1", "--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv")
    for name, value in ENVIRONMENT.items():
        say("--setenv", name, value)


def _system(words: _Words) -> None:
    """Show processes, devices, and the system's libraries."""
    words.say("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    for system in ("/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(system):
            words.say("--symlink", os.readlink(system), system)
        else:
            words.bind(system, system, "--ro-bind-try")
    for system in ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32"):
        words.bind(system, system, "--ro-bind-try")
    for system in ("/etc/ld.so.cache", "/etc/alternatives", "/usr/share/zoneinfo"):
        words.bind(system, system, "--ro-bind-try")


def _python(words: _Words) -> str:
    """Show Python, and return its path inside.

    Only the interpreter and its library are shown: the prefix can be a user's home, or hold
    nbgrader's exchange.
    """
    prefix = Path(os.path.realpath(sys.base_prefix))
    stdlib = Path(os.path.realpath(os.__file__)).parent
    interpreter = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    library = f"{PYTHON}/{stdlib.relative_to(prefix)}"
    inside = f"{PYTHON}/bin/{Path(interpreter).name}"
    words.bind(interpreter, inside)
    words.bind(stdlib, library)
    dynamic = Path(sysconfig.get_path("platstdlib", vars={"platbase": str(prefix)}))
    if dynamic != stdlib and dynamic.is_dir() and dynamic.is_relative_to(prefix):
        words.bind(dynamic, f"{PYTHON}/{dynamic.relative_to(prefix)}")
    for name in ("site-packages", "dist-packages"):
        if (stdlib / name).is_dir():
            words.hide(f"{library}/{name}")
    folder = sysconfig.get_config_var("LIBDIR")
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and folder:
        for file in sorted(Path(os.path.realpath(folder)).glob("libpython*.so*")):
            words.bind(os.path.realpath(file), f"{PYTHON}/lib/{file.name}")
        words.say("--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib")
    return inside


def _packages(words: _Words) -> list[str]:
    """Show the folders with installed packages except `dpteach`, and return their paths inside."""
    places = []
    for i, folder in enumerate(site_folders()):
        places.append(inside := f"{SITE}/{i}")
        words.bind(folder, inside)
        # an installed dpteach, and what tells where one lies that is being worked on
        for path in sorted(Path(folder).glob("*dpteach*")):
            if path.is_dir():
                words.hide(f"{inside}/{path.name}")
            else:
                words.say("--ro-bind", os.devnull, f"{inside}/{path.name}")
    return places
