"""The command that starts the warm process in bubblewrap, where it sees only Python and libraries.

The command depends on the user who grades, but kernels are equally restricted in both cases:

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

#: the program of the warm process. It imports the launcher instead of running it as a script,
#: because Python stores the compiled code of imported modules only
START = "import sys; sys.path[:0] = [sys.argv[1]]; import launcher; launcher.main()"

#: the range of user numbers for kernels: systems assign none of them to users, because they are
#: above systemd's ranges for containers, and below 2^31
_FIRST_UID, _UIDS = 0x7000_0000, 0x0FFF_0000

#: the environment of a kernel. It is the same on every machine, and libraries use one core only, so
#: that the same code gives the same results
ENVIRONMENT: Mapping[str, str] = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "LOGNAME": "student",
    "MALLOC_ARENA_MAX": "2",
    # a plot appears below the cell that draws it, as in a student's notebook
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
    """Return whether the grader runs as root with enough user numbers for kernels."""
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
    # a container's user namespace may have few numbers; its users take those from the lower half
    return first + count - 1 - secrets.randbelow(count // 2) if count >= 2048 else None


class _Words:
    """Builder of the arguments for bubblewrap, which carries them out in their order."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._made: set[Path] = set()

    def say(self, *words: object) -> None:
        self.told.extend(map(str, words))

    def bind(self, here: object, there: str, how: str = "--ro-bind") -> None:
        """Mount a file or folder of this machine at a path inside the sandbox."""
        for parent in reversed(Path(there).parents[:-1]):
            if parent not in self._made:
                self.say("--dir", parent)
                self._made.add(parent)
        self.say(how, here, there)

    def hide(self, there: str) -> None:
        """Mount an empty folder over a path; it is read-only because all sandboxes share it."""
        self.say("--tmpfs", there, "--remount-ro", there)


def command(files: Mapping[str, str]) -> tuple[list[str], bytes, list[str]]:
    """Return the command and the arguments with which bubblewrap starts the launcher.

    Parameters
    ----------
    files
        Files to show, by their path inside the sandbox, including ``FILES/launcher.py``.

    Returns
    -------
    list of str, bytes, list of str
        The command that bubblewrap executes; the arguments of bubblewrap, which it must read from a
        descriptor because the sandbox can see a command line; and the paths inside the sandbox of
        the folders with packages.
    """
    words = _Words()
    _apart(words, is_root())
    _system(words)
    interpreter = _python(words)
    packages = _packages(words)
    for there, here in files.items():
        words.bind(here, there)
    # `inside.walls` mounts a /tmp over it that one kernel can write
    words.say("--dir", "/tmp", "--remount-ro", "/", "--chdir", "/tmp")
    run = [interpreter, *OPTIONS, "-c", START, FILES]
    told = b"".join(os.fsencode(word) + b"\0" for word in words.told)
    return run, told, packages


def _apart(words: _Words, root: bool) -> None:
    """Add the arguments for new namespaces and for the fixed environment."""
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
    """Add the arguments that mount /proc, devices and the system's libraries."""
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
    """Add the arguments that mount Python, and return its path inside the sandbox.

    Only the interpreter and its standard library are mounted, not the whole prefix, which can be a
    user's home or contain nbgrader's exchange.
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
    """Add the arguments that mount installed packages except `dpteach`; return their paths."""
    places = []
    for i, folder in enumerate(site_folders()):
        places.append(inside := f"{SITE}/{i}")
        words.bind(folder, inside)
        # hide an installed dpteach, and files that contain the path of an editable installation
        for path in sorted(Path(folder).glob("*dpteach*")):
            if path.is_dir():
                words.hide(f"{inside}/{path.name}")
            else:
                words.say("--ro-bind", os.devnull, f"{inside}/{path.name}")
    return places
