"""Install the course beside this file, and open the assignments in JupyterLab: python start.py

The first start installs packages and needs the internet; later starts do not need it. Your work is
in the folder "assignments". A newer version of the course does not overwrite it.
"""

# use only syntax of Python 3.7, so that a Python that is too old for the course can still run this
# script, which then tells the student so

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: the oldest supported version of Python, and the first version that is too new
OLDEST, TOO_NEW = (3, 11), (3, 15)

HERE = Path(__file__).resolve().parent
COURSE = HERE / "course"
#: the file with the name of dpteach's wheel and the names of the assignments in this bundle
BUNDLE = COURSE / "bundle.json"
ASSIGNMENTS = HERE / "assignments"
ENVIRONMENT = HERE / "environment"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
#: a pattern that matches the folder of metadata that pip writes for each installed package
PACKAGES = ("Lib" if os.name == "nt" else "lib/python3*") + "/site-packages/*.dist-info"
#: the file that says which versions of the packages and of dpteach are completely installed
INSTALLED = ENVIRONMENT / "installed.json"
LOG = ENVIRONMENT / "install.log"
#: the file in the folder of an assignment that lists the files that this script copied there
COPIED = ".copied.json"
#: names of folders that Jupyter and Python make beside a notebook, which are not work of a student
JUPYTERS = (".ipynb_checkpoints", "__pycache__")
#: the most characters that the path of `HERE` may have on Windows. Windows permits 260 characters
#: for a path, and some files are installed deep inside this folder
LONGEST = 90
#: environment variables that make Python or pip use packages outside of the course's environment
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")

#: a dictionary from each English message to its translation; `dpteach publish` writes it into the
#: following line
WORDS: dict[str, str] = {}


def catalog(domain: str) -> Callable[..., str]:
    """Return the function that translates a message and replaces its placeholders by values."""
    return lambda text, **values: WORDS.get(text, text).format(**values)


_ = catalog("publish")


class StartError(Exception):
    """The error of a course that cannot start; its text tells the student why."""


# ---------------------------------------------------------------- this computer


def obstacle() -> str:
    """Return why the course cannot be installed with this Python in this folder; "" if it can."""
    if sys.version_info < OLDEST or sys.version_info >= TOO_NEW:
        return _(
            "This course needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {version}. "
            "Install one from https://www.python.org/downloads/ and start this file with it.",
            version=".".join(map(str, sys.version_info[:3])),
        )
    if struct.calcsize("P") != 8:
        return _("This is a 32-bit Python, and the course needs a 64-bit one. Please install that.")
    if not BUNDLE.is_file():
        return _("Unpack the whole zip file first, then run the start.py in the unpacked folder.")
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return _(
            "This Python cannot make environments. On Debian and Ubuntu, install its venv: "
            "sudo apt install python3-venv"
        )
    if os.name == "nt" and len(str(HERE)) > LONGEST:
        return _(
            "The path of this folder is too long for Windows: {folder}. Move the folder, for "
            "example to your desktop.",
            folder=HERE,
        )
    return ""


# ---------------------------------------------------------------- the environment


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def outer() -> dict[str, str]:
    """Return this process's environment variables except those that affect Python's packages."""
    return {name: value for name, value in os.environ.items() if name not in FOREIGN}


def install() -> None:
    """Install the packages and the wheel, unless an earlier start has installed them completely."""
    wheel = COURSE / read(BUNDLE)["wheel"]
    # record the path of this folder together with the wheel: if the folder is moved, the installed
    # commands still contain the old path, so the wheel must be installed again
    wanted = {
        "packages": digest(COURSE / "requirements.txt"),
        "wheel": " ".join([digest(wheel), str(HERE)]),
    }
    if not has_pip():
        print(_("Making the environment in {folder} ...", folder=ENVIRONMENT), flush=True)
        making = [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)]
        subprocess.run(making, env=outer(), check=False)
        if not has_pip():
            raise StartError(_("The environment cannot be made in {folder}.", folder=ENVIRONMENT))
    found = read(INSTALLED)
    if found.get("packages") != wanted["packages"]:
        print(_("Installing the packages of the course. This happens only once."), flush=True)
        remove_halves()
        pip("--only-binary=:all:", "--require-hashes", "--no-deps", "-r", "requirements.txt")
    if found != wanted:
        pip("--no-index", "--no-deps", "--force-reinstall", wheel.name)
        # turn off a warning that each kernel prints by default: its connection to JupyterLab is
        # not encrypted, which does no harm, because the connection does not leave this computer
        settings = ENVIRONMENT / "etc" / "ipython" / "ipython_kernel_config.py"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text('c.IPKernelApp.log_level = "ERROR"\n', encoding="utf-8")
        write(INSTALLED, wanted)


def has_pip() -> bool:
    """Return whether the environment's Python runs and can import pip."""
    try:
        run = subprocess.run([str(PYTHON), "-I", "-c", "import pip"], capture_output=True)
    except OSError:
        return False
    return run.returncode == 0


def remove_halves() -> None:
    """Remove traces of half-installed packages, which pip would take for completely installed.

    An interrupted pip leaves a package's ``.dist-info`` folder without ``RECORD``, the list of the
    package's files.
    """
    for folder in ENVIRONMENT.glob(PACKAGES):
        if not (folder / "RECORD").is_file():
            shutil.rmtree(folder)


def pip(*words: str) -> None:
    """Run ``pip install`` in the folder of the course, and show its progress in the terminal.

    Parameters
    ----------
    words
        The arguments of ``pip install``.

    Raises
    ------
    StartError
        If pip fails.
    """
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    command += ["--progress-bar=off", "--no-compile", *words]
    before = len(list(ENVIRONMENT.glob(PACKAGES)))
    with LOG.open("wb") as log:
        process = subprocess.Popen(command, cwd=str(COURSE), env=outer(), stdout=log, stderr=log)
    try:
        while process.poll() is None:
            show(progress(before))
            time.sleep(0.2)
    finally:
        process.terminate()  # this has no effect if pip has ended already
        process.wait()
        show("")
    if process.returncode:
        text = _(
            "The packages cannot be installed: {error}\nAll that pip said stands in {log}. Run "
            "start.py again when the cause is removed, for example when there is a connection to "
            "the internet: it goes on where it stopped.",
            error=log_text().strip().rpartition("\n")[2],
            log=LOG,
        )
        raise StartError(text)


def log_text() -> str:
    """Return the text that the latest run of pip has printed so far."""
    return LOG.read_text(encoding="utf-8", errors="replace")


def progress(before: int) -> str:
    """Return a line with the number of packages that pip has fetched or, later, installed.

    Return "" if pip has not fetched any package yet.

    Parameters
    ----------
    before
        The number of packages that were installed when pip was started.
    """
    said = log_text()
    installing = re.search("Installing collected packages: (.*)", said)
    if installing:
        done = max(len(list(ENVIRONMENT.glob(PACKAGES))) - before, 0)
        return _("  installing {done} of {total}", done=done, total=installing[1].count(",") + 1)
    done = said.count("Collecting ")
    total = (COURSE / "requirements.txt").read_text("utf-8").count("==")
    return _("  fetching {done} of {total}", done=done, total=total) if done else ""


def show(line: str) -> None:
    """Replace the last line of progress in a terminal; show nothing if the output is a file."""
    if sys.stdout.isatty():
        print("\r" + line.ljust(40), end="" if line else "\r", flush=True)


# ---------------------------------------------------------------- the assignments


def read(file: Path) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one if the file is missing or damaged."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(file: Path, data: dict[str, Any]) -> None:
    """Write a JSON object to a file; an interruption leaves the old file or the new one."""
    part = file.with_name(file.name + ".part")
    part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    os.replace(str(part), str(file))


def contents(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder by its path.

    Files that Jupyter and Python made and the file `COPIED` are left out.
    """
    return {
        path.relative_to(folder).as_posix(): digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != COPIED and path.parent.name not in JUPYTERS
    }


def copy_assignments() -> None:
    """Copy new assignments to the student's folder, and print where each of them is."""
    ASSIGNMENTS.mkdir(exist_ok=True)
    for name in read(BUNDLE)["assignments"]:
        place = copy_assignment(COURSE / "assignments" / name, name)
        if place is not None and place.name != name:
            text = _(
                "The assignment {name} has a new version, in assignments/{place}. Your work in "
                "assignments/{name} is as it was: copy your answers into the new notebook.",
                name=name,
                place=place.name,
            )
            print(text)
        elif place is not None:
            print(_("The assignment {name} is in assignments/{name}.", name=name))


def copy_assignment(source: Path, name: str) -> Path | None:
    """Copy an assignment to the student's folder; return the new folder, or None if none was made.

    If this version of the assignment was copied before, only files that are missing in the copy are
    copied. A copy of an older version is replaced only if the student has changed none of its
    files. Otherwise the new version is copied to another folder, such as ``pure_dp-2``.
    """
    wanted, number = contents(source), 1
    latest = place = ASSIGNMENTS / name
    while os.path.lexists(str(place)):
        if read(place / COPIED) == wanted:
            restore(source, place)
            return None
        number, latest = number + 1, place
        place = ASSIGNMENTS / f"{name}-{number}"
    fresh = ASSIGNMENTS / f".{name}.part"
    shutil.rmtree(str(fresh), ignore_errors=True)
    shutil.copytree(str(source), str(fresh), copy_function=shutil.copyfile)
    write(fresh / COPIED, wanted)
    copied = read(latest / COPIED)
    if copied and contents(latest) == copied:
        shutil.rmtree(str(latest))
        place = latest
    os.replace(str(fresh), str(place))
    return place


def restore(source: Path, place: Path) -> None:
    """Copy those files of an assignment that are missing in the student's copy."""
    for name in contents(source):
        if not os.path.lexists(str(place / name)):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(source / name), str(place / name))


# ---------------------------------------------------------------- JupyterLab


def laboratory(browser: bool) -> int:
    """Run JupyterLab on the assignments until the student ends it; return its exit code."""
    words = [
        *("-m", "jupyterlab", "--log-level=ERROR", "--allow-root"),
        "--ServerApp.root_dir=" + str(ASSIGNMENTS),
        # JupyterLab may try 100 ports, and must not ask other hosts for news and newer versions
        "--ServerApp.port_retries=100",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    if os.name == "posix":  # terminals must run no login shell, which would reset PATH
        shell = {"shell_command": [os.environ.get("SHELL") or "/bin/sh"]}
        words.append("--ServerApp.terminado_settings=" + repr(shell))
    if not browser:
        words.append("--no-browser")
    settings = [str(COURSE / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    own = {
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONUTF8": "1",  # a student's code reads files as UTF-8, as during grading
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, settings)),
        "PATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", "")]),
    }
    print(_("JupyterLab opens in your browser. To end it, press Ctrl-C here, twice."), flush=True)
    process = subprocess.Popen([str(PYTHON), *words], cwd=str(ASSIGNMENTS), env={**outer(), **own})
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # Ctrl-C interrupts JupyterLab as well: wait for its end
            continue


def main() -> int:
    """Install the course, copy the assignments and start JupyterLab; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-browser", action="store_true", help=_("open no browser"))
    about = _("only install; do not start JupyterLab")
    parser.add_argument("--install", action="store_true", help=about)
    told = parser.parse_args()
    # show "?" for a character of a folder's name that the terminal lacks, instead of an error
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        why = obstacle()
        if why:
            raise StartError(why)
        install()
        copy_assignments()
        return 0 if told.install else laboratory(not told.no_browser)
    except StartError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(_("The course cannot start: {error}", error=error), file=sys.stderr)
    except KeyboardInterrupt:
        print(_("Stopped. Run start.py again: it goes on where it stopped."), file=sys.stderr)
    # wait for Enter: after a double click on this script, its window closes when the script ends
    if os.name == "nt" and sys.stdin.isatty():
        input(_("Press Enter to close this window."))
    return 2


if __name__ == "__main__":
    sys.exit(main())
