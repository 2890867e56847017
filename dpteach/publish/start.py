"""Install the course beside this file, and open the assignments in JupyterLab: python start.py

The first start installs the packages and needs the internet; later ones do not. What you write lies
in the folder "assignments", which no newer version of the course overwrites.
"""

# Python 3.7 must still be able to read this file, so that it can say that it is too old

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

#: the oldest supported version of Python, and the first that is too new
OLDEST, TOO_NEW = (3, 11), (3, 15)

HERE = Path(__file__).resolve().parent
COURSE = HERE / "course"
#: the name of the wheel and the names of the assignments
BUNDLE = COURSE / "bundle.json"
ASSIGNMENTS = HERE / "assignments"
ENVIRONMENT = HERE / "environment"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
#: the folder that each installed package has about itself, in the environment
PACKAGES = ("Lib" if os.name == "nt" else "lib/python3*") + "/site-packages/*.dist-info"
#: what has been installed completely
INSTALLED = ENVIRONMENT / "installed.json"
LOG = ENVIRONMENT / "install.log"
#: the file in a folder of an assignment that says which files were copied there
COPIED = ".copied.json"
#: folders that Jupyter and Python make beside a notebook
JUPYTERS = (".ipynb_checkpoints", "__pycache__")
#: the longest path of this folder with which no installed file exceeds the limit of Windows
LONGEST = 90
#: settings of the user's Python that would lead the environment's own Python astray
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")

#: the translations of messages, which `dpteach publish` fills in
WORDS: dict[str, str] = {}


def catalog(domain: str) -> Callable[..., str]:
    """Return the function that translates a message and fills in its values."""
    return lambda text, **values: WORDS.get(text, text).format(**values)


_ = catalog("publish")


class StartError(Exception):
    """The reason why the course cannot start, in words for the student."""


# ---------------------------------------------------------------- this computer


def obstacle() -> str:
    """Return why the course cannot be installed with this Python in this folder, or ""."""
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
    """Return this process's environment variables without those that mislead another Python."""
    return {name: value for name, value in os.environ.items() if name not in FOREIGN}


def install() -> None:
    """Install what is missing; what an interrupted installation has finished, stays."""
    wheel = COURSE / read(BUNDLE)["wheel"]
    # a folder that was moved has commands that name its old place: the wheel is installed again
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
        # each kernel would warn that what it says on this computer's loopback is not encrypted
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
    """Remove the folders by which pip takes packages that it was still writing for installed."""
    for folder in ENVIRONMENT.glob(PACKAGES):
        if not (folder / "RECORD").is_file():
            shutil.rmtree(folder)


def pip(*words: str) -> None:
    """Run pip's installation in the folder of the course, and show how far it is."""
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
        process.terminate()  # which does nothing if pip has ended
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
    """Return what pip has said since it was started last."""
    return LOG.read_text(encoding="utf-8", errors="replace")


def progress(before: int) -> str:
    """Return a line that says how many packages pip has fetched, and then how many installed.

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
    total = (COURSE / "requirements.txt").read_text("utf-8").count("==")
    return _("  fetching {done} of {total}", done=said.count("Collecting "), total=total)


def show(line: str) -> None:
    """Show a line of progress in a terminal, in the place of the last one."""
    if sys.stdout.isatty():
        print("\r" + line.ljust(40), end="" if line else "\r", flush=True)


# ---------------------------------------------------------------- the assignments


def read(file: Path) -> dict[str, Any]:
    """Return the JSON data of a file; none if it is missing or damaged."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(file: Path, data: dict[str, Any]) -> None:
    """Write JSON data to a file, completely or not at all."""
    part = file.with_name(file.name + ".part")
    part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    os.replace(str(part), str(file))


def contents(folder: Path) -> dict[str, str]:
    """Return the digest of each file in a folder by its path, without what Jupyter writes."""
    return {
        path.relative_to(folder).as_posix(): digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != COPIED and path.parent.name not in JUPYTERS
    }


def copy_assignments() -> None:
    """Copy the assignments to the folder in which the student works, and say what is new."""
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
    """Copy an assignment unless this version was copied before; return the folder if it is new.

    A copy of an older version is replaced only if all of its files are as they were copied.
    Otherwise the new version gets a folder of its own, such as ``pure_dp-2``.
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
    """Copy those files of an assignment that the student's copy lost."""
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
        # JupyterLab takes the next free port, and asks no other host for anything
        "--ServerApp.port_retries=100",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    if os.name == "posix":  # by default a terminal runs a login shell, which resets PATH
        shell = {"shell_command": [os.environ.get("SHELL") or "/bin/sh"]}
        words.append("--ServerApp.terminado_settings=" + repr(shell))
    if not browser:
        words.append("--no-browser")
    settings = [str(COURSE / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    own = {
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONUTF8": "1",  # as where assignments are graded
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, settings)),
        "PATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", "")]),
    }
    print(_("JupyterLab opens in your browser. To end it, press Ctrl-C here, twice."), flush=True)
    process = subprocess.Popen([str(PYTHON), *words], cwd=str(ASSIGNMENTS), env={**outer(), **own})
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # JupyterLab gets it, too, and ends
            continue


def main() -> int:
    """Install, copy and start; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-browser", action="store_true", help=_("open no browser"))
    about = _("only install; do not start JupyterLab")
    parser.add_argument("--install", action="store_true", help=about)
    told = parser.parse_args()
    if hasattr(sys.stdout, "reconfigure"):  # no name of a folder shall end this program
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
    if os.name == "nt" and sys.stdin.isatty():  # a window that was opened for this would vanish
        input(_("Press Enter to close this window."))
    return 2


if __name__ == "__main__":
    sys.exit(main())
