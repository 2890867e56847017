"""The command that starts a process in bubblewrap, with nothing in sight but Python itself.

Two ways, which give the same:

- As root, bubblewrap makes the namespaces and mounts as root, and `setpriv` then becomes a user
  that nobody else is, without groups, capabilities, or the way to new ones.
- As an ordinary user, the namespaces stand in a user namespace of their own, and the kernel is
  their first process.

What is in sight: the system's libraries, the interpreter with its standard library, and the
installed packages without `dpteach`, all read-only and at neutral places; a small writable `/tmp`;
a new `/proc` and `/dev`. Interpreter options leave out every ``.pth`` file.
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

#: the same work takes the same path each time, on one core
ENVIRONMENT: Mapping[str, str] = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "LOGNAME": "student",
    "MALLOC_ARENA_MAX": "2",
    "MPLBACKEND": "Agg",
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


def command(*, disk_bytes: int, files: Mapping[str, str]) -> tuple[list[str], bytes, list[str]]:
    """How to run the launcher in bubblewrap.

    Parameters
    ----------
    disk_bytes
        The size of the writable `/tmp`.
    files
        Files that are in sight, by their path inside, ``FILES/launcher.py`` among them.

    Returns
    -------
    list of str, bytes, list of str
        What bubblewrap is to execute; its own arguments, to be read from a descriptor: a command
        line can be seen in the sandbox; and the folders with packages, as they are called inside.
    """
    prefix = Path(os.path.realpath(sys.base_prefix))
    stdlib = Path(os.path.realpath(os.__file__)).parent
    interpreter = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    told: list[str] = []

    def say(*words: object) -> None:
        told.extend(map(str, words))

    root = is_root()
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

    made: set[Path] = set()

    def bind(here: object, there: str, how: str = "--ro-bind") -> None:
        for parent in reversed(Path(there).parents[:-1]):
            if parent not in made:
                say("--dir", parent)
                made.add(parent)
        say(how, here, there)

    say("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    for system in ("/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(system):
            say("--symlink", os.readlink(system), system)
        else:
            bind(system, system, "--ro-bind-try")
    for system in ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32"):
        bind(system, system, "--ro-bind-try")
    for system in ("/etc/ld.so.cache", "/etc/alternatives", "/usr/share/zoneinfo"):
        bind(system, system, "--ro-bind-try")
    # the interpreter alone: its prefix can be somebody's home, or hold what nbgrader exchanges
    inside = f"{PYTHON}/bin/{interpreter.name}"
    bind(interpreter, inside)
    bind(stdlib, f"{PYTHON}/{stdlib.relative_to(prefix)}")
    places = {str(stdlib): f"{PYTHON}/{stdlib.relative_to(prefix)}"}
    dynamic = Path(sysconfig.get_path("platstdlib", vars={"platbase": str(prefix)}))
    if dynamic != stdlib and dynamic.is_dir() and dynamic.is_relative_to(prefix):
        bind(dynamic, f"{PYTHON}/{dynamic.relative_to(prefix)}")
    for name in ("site-packages", "dist-packages"):
        if (stdlib / name).is_dir():
            say("--tmpfs", f"{PYTHON}/{stdlib.relative_to(prefix)}/{name}")
    library = sysconfig.get_config_var("LDLIBRARY") if sysconfig.get_config_var("LIBDIR") else None
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and library:
        libraries = Path(os.path.realpath(sysconfig.get_config_var("LIBDIR")))
        for file in sorted(libraries.glob("libpython*.so*")):
            bind(os.path.realpath(file), f"{PYTHON}/lib/{file.name}")
        say("--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib")

    folders = []
    for i, folder in enumerate(site_folders()):
        folders.append(f"{SITE}/{i}")
        bind(folder, folders[-1])
        places[folder] = folders[-1]
        # an installed dpteach, and what tells where one lies that is being worked on
        for path in sorted(Path(folder).glob("*dpteach*")):
            if path.is_dir():
                say("--tmpfs", f"{folders[-1]}/{path.name}")
            else:
                say("--ro-bind", os.devnull, f"{folders[-1]}/{path.name}")
    for there, here in files.items():
        bind(here, there)
    bytecode = _bytecode.folder(str(interpreter), tuple(places.items()))
    if bytecode is not None:
        bind(bytecode, BYTECODE)
        say("--setenv", "PYTHONPYCACHEPREFIX", BYTECODE)
    say("--perms", "1777", "--size", disk_bytes, "--tmpfs", "/tmp")

    run: list[str] = []
    if root:
        setpriv = shutil.which("setpriv", path="/usr/bin:/bin:/usr/sbin:/sbin")
        if setpriv is None:
            raise FileNotFoundError("setpriv")
        user = _throwaway()
        bind(setpriv, f"{FILES}/setpriv")
        run += [f"{FILES}/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        run += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    say("--remount-ro", "/", "--chdir", "/tmp")
    run += [inside, *OPTIONS, "-c", START, FILES]
    return run, b"".join(os.fsencode(word) + b"\0" for word in told), folders
