"""The command that starts a process in bubblewrap, with nothing in sight but Python itself.

Two ways, which give the same:

- As root, bubblewrap makes the namespaces and mounts as root, and `setpriv` then becomes a user
  that nobody else is, without groups, capabilities, or the way to new ones.
- As an ordinary user, the namespaces stand in a user namespace of their own, and the kernel is
  their first process.

What is in sight: the system's libraries, the interpreter with its standard library, and the
installed packages without `dpteach`, all read-only and at neutral places; a small writable `/tmp`;
a new `/proc`, which tells of processes only, and a new `/dev`. Interpreter options leave out every
``.pth`` file.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from dpteach.grading.sandbox import _bytecode

#: where things are inside
PYTHON, SITE, FILES, BYTECODE = "/python", "/site", "/grading", "/bytecode"

#: no folder of the user's, no ``.pth`` files, nothing of the current folder, nothing written
OPTIONS = ("-s", "-S", "-P", "-B")

#: from a folder of its own the launcher is imported, and so can be compiled before
START = "import sys; sys.path[:0] = [sys.argv[1]]; import launcher; launcher.main()"

#: users that no system hands out (above systemd's container ranges, below 2^31)
_FIRST_UID, _UIDS = 0x7000_0000, 0x0FFF_0000

#: what is in sight of ``/proc`` beside processes
STEADY = ("cpuinfo", "filesystems", "version")

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


def _of_the_machine() -> list[str]:
    """What ``/proc`` tells of the whole machine, such as its load, which one sandbox can raise and
    another read; not what is of a process, or never changes."""
    return [
        name
        for name in sorted(os.listdir("/proc"))
        if not (name.isdigit() or name in STEADY or os.path.islink(f"/proc/{name}"))
    ]


def site_folders() -> list[str]:
    """The folders with installed packages that this process imports from."""
    names = ("site-packages", "dist-packages")
    found = [os.path.realpath(path) for path in sys.path if Path(path).name in names]
    return [path for path in dict.fromkeys(found) if os.path.isdir(path)]


def is_root() -> bool:
    """Whether bubblewrap can make mounts as root and then become somebody else."""
    return os.geteuid() == 0 and _throwaway() is not None


def _throwaway() -> int | None:
    """A user that nobody else is, among those that this user namespace has; None if it has none."""
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
    """Bubblewrap's own arguments, in the order in which it obeys them."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._made: set[Path] = set()

    def say(self, *words: object) -> None:
        self.told.extend(map(str, words))

    def bind(self, here: object, there: str, how: str = "--ro-bind") -> None:
        """Lets something of here be in sight there."""
        for parent in reversed(Path(there).parents[:-1]):
            if parent not in self._made:
                self.say("--dir", parent)
                self._made.add(parent)
        self.say(how, here, there)


def command(
    *, disk_bytes: int, files: Mapping[str, str], data: Mapping[str, int]
) -> tuple[list[str], bytes, list[str]]:
    """How to run the launcher in bubblewrap.

    Parameters
    ----------
    disk_bytes
        The size of the writable `/tmp`.
    files
        Files that are in sight, by their path inside, ``FILES/launcher.py`` among them.
    data
        Descriptors of files that a cell finds in its folder, by their path there. Each sandbox has
        copies of its own, which nothing in it can change.

    Returns
    -------
    list of str, bytes, list of str
        What bubblewrap is to execute; its own arguments, to be read from a descriptor: a command
        line can be seen in the sandbox; and the folders with packages, as they are called inside.
    """
    words, root = _Words(), is_root()
    _apart(words, root)
    _system(words)
    interpreter, places = _python(words)
    packages = _packages(words)
    for there, here in files.items():
        words.bind(here, there)
    bytecode = _bytecode.folder(interpreter, (*places.items(), *packages.items()))
    if bytecode is not None:
        words.bind(bytecode, BYTECODE)
        words.say("--setenv", "PYTHONPYCACHEPREFIX", BYTECODE)
    words.say("--perms", "1777", "--size", disk_bytes, "--tmpfs", "/tmp")
    for name, descriptor in data.items():
        words.say("--perms", "0444", "--ro-bind-data", descriptor, f"/tmp/{name}")
    run = _becoming_nobody(words) if root else []
    words.say("--remount-ro", "/", "--chdir", "/tmp")
    run += [_inside(interpreter), *OPTIONS, "-c", START, FILES]
    told = b"".join(os.fsencode(word) + b"\0" for word in words.told)
    return run, told, list(packages.values())


def _apart(words: _Words, root: bool) -> None:
    """Namespaces of its own, and an environment that is the same everywhere."""
    say = words.say
    if root:
        say("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
        say("--unshare-cgroup-try", "--cap-drop", "ALL")
        for capability in ("SETUID", "SETGID", "SETPCAP"):
            say("--cap-add", f"CAP_{capability}")
    else:
        say("--unshare-all", "--unshare-user", "--uid", 1000, "--gid", 1000, "--cap-drop", "ALL")
        # bubblewrap's own process would be the same user's, without limits and open to writing
        say("--as-pid-1")
    say("--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv")
    for name, value in ENVIRONMENT.items():
        say("--setenv", name, value)


def _system(words: _Words) -> None:
    """Processes, devices, and the system's libraries."""
    words.say("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    for name in _of_the_machine():
        if os.path.isdir(f"/proc/{name}"):
            words.say("--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}")
        else:
            words.say("--ro-bind", os.devnull, f"/proc/{name}")
    for system in ("/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(system):
            words.say("--symlink", os.readlink(system), system)
        else:
            words.bind(system, system, "--ro-bind-try")
    for system in ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32"):
        words.bind(system, system, "--ro-bind-try")
    for system in ("/etc/ld.so.cache", "/etc/alternatives", "/usr/share/zoneinfo"):
        words.bind(system, system, "--ro-bind-try")


def _inside(interpreter: str) -> str:
    """Python, as it is called inside."""
    return f"{PYTHON}/bin/{Path(interpreter).name}"


def _python(words: _Words) -> tuple[str, dict[str, str]]:
    """Python, as it is called outside; the folder of its library outside and inside.

    The interpreter alone: its prefix can be somebody's home, or hold what nbgrader exchanges.
    """
    prefix = Path(os.path.realpath(sys.base_prefix))
    stdlib = Path(os.path.realpath(os.__file__)).parent
    interpreter = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    library = f"{PYTHON}/{stdlib.relative_to(prefix)}"
    words.bind(interpreter, _inside(interpreter))
    words.bind(stdlib, library)
    dynamic = Path(sysconfig.get_path("platstdlib", vars={"platbase": str(prefix)}))
    if dynamic != stdlib and dynamic.is_dir() and dynamic.is_relative_to(prefix):
        words.bind(dynamic, f"{PYTHON}/{dynamic.relative_to(prefix)}")
    for name in ("site-packages", "dist-packages"):
        if (stdlib / name).is_dir():
            words.say("--tmpfs", f"{library}/{name}")
    folder = sysconfig.get_config_var("LIBDIR")
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and folder:
        for file in sorted(Path(os.path.realpath(folder)).glob("libpython*.so*")):
            words.bind(os.path.realpath(file), f"{PYTHON}/lib/{file.name}")
        words.say("--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib")
    return interpreter, {str(stdlib): library}


def _packages(words: _Words) -> dict[str, str]:
    """The folders with installed packages, outside and inside; `dpteach` is not in sight."""
    places = {}
    for i, folder in enumerate(site_folders()):
        places[folder] = inside = f"{SITE}/{i}"
        words.bind(folder, inside)
        # an installed dpteach, and what tells where one lies that is being worked on
        for path in sorted(Path(folder).glob("*dpteach*")):
            if path.is_dir():
                words.say("--tmpfs", f"{inside}/{path.name}")
            else:
                words.say("--ro-bind", os.devnull, f"{inside}/{path.name}")
    return places


def _becoming_nobody(words: _Words) -> list[str]:
    """How root becomes a user that nobody else is, before the launcher runs."""
    setpriv = shutil.which("setpriv", path="/usr/bin:/bin:/usr/sbin:/sbin")
    if setpriv is None:
        raise FileNotFoundError("setpriv")
    user = _throwaway()
    words.bind(setpriv, f"{FILES}/setpriv")
    run = [f"{FILES}/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return [
        *run,
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--bounding-set=-all",
        "--no-new-privs",
    ]
