"""Grades the bank in processes that notice what is left behind.

Each process that grades adopts whatever its children leave (it is their "subreaper"), and has a
folder of its own for temporary files and as its home: so a test can say that nothing survived,
whatever else the machine is doing.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import socket
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostile.reader import Attack, read_bank
from hostile.structure import Files

#: what must never be seen: it stands in the text source, in the environment, in the home, in
#: another submission and in the project's folder. Put together here, so that no cell holds it
CANARY = "canary-" + "9b1d70c4e2"

_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Place:
    """What the attacks of one run share.

    Attributes
    ----------
    exam
        The exam's bytes.
    right
        The notebook of a right submission.
    checks
        The visible checks, which every student has.
    token, port, socket
        What attacks leave behind, and where they knock.
    """

    exam: bytes
    right: dict[str, Any]
    checks: dict[str, Any]
    token: str
    port: int
    socket: str

    def words(self) -> dict[str, str]:
        """What the words in the bank stand for."""
        return {
            "HOSTILE_TOKEN": self.token,
            "HOSTILE_PORT": str(self.port),
            "HOSTILE_SOCKET": self.socket,
            # a Python literal inside a JSON string
            "HOSTILE_CHECKS": json.dumps(repr(self.checks))[1:-1],
        }

    def files(self, attack: Attack) -> Files:
        """What is handed in."""
        return attack.files(self.right, self.words())


@dataclass
class Graded:
    """What came of one submission.

    Attributes
    ----------
    result
        The result's bytes; none if grading raised an error.
    error
        The error, or "".
    seconds
        How long it took.
    processes, files
        What was left behind.
    """

    result: bytes = b""
    error: str = ""
    seconds: float = 0.0
    processes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def start(folder: str) -> None:
    """Makes this process one that grades; for the start of a pool."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    own = tempfile.mkdtemp(dir=folder)
    home = Path(own, "home")
    home.mkdir()
    (home / "notes.txt").write_text(CANARY)
    temporary = Path(own, "tmp")
    temporary.mkdir()
    os.environ |= {"HOME": str(home), "TMPDIR": str(temporary), "DPTEACH_CANARY": CANARY}
    tempfile.tempdir = str(temporary)
    os.chdir(home)


def grade(place: Place, name: str, limits: Mapping[str, Any]) -> Graded:
    """Grades the attack of this name; to be called in a process of the pool."""
    from dpteach.grading.sandbox import Limits
    from dpteach.grading.session import grade_submission

    attack = next(attack for attack in read_bank() if attack.name == name)
    files = place.files(attack)
    before, here = descendants(), listing()
    graded = Graded()
    begun = time.monotonic()
    try:
        graded.result = grade_submission(place.exam, files, Limits(**limits))
    except Exception as error:
        graded.error = f"{type(error).__name__}: {error}"[:500]
    graded.seconds = time.monotonic() - begun
    graded.processes = sorted(set(descendants().values()) - set(before.values()))
    graded.files = sorted(set(listing()) - set(here))
    return graded


def listing() -> list[str]:
    """Everything in the folders that grading may have written to."""
    home = Path(os.environ["HOME"])
    found = [str(path) for path in home.parent.rglob("*")]
    return found + os.listdir("/dev/shm") if Path("/dev/shm").is_dir() else found


def descendants() -> dict[int, str]:
    """The processes below this one, with their command lines; without those that serve suspects."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        try:
            stat = Path("/proc", entry, "stat").read_text() if entry.isdigit() else ""
            state, parent = stat.rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state not in "ZX":
            parents[int(entry)] = int(parent)
    below, found = {os.getpid()}, {}
    while True:
        more = {pid for pid, parent in parents.items() if parent in below} - below
        if not more:
            return found
        below |= more
        for pid in more:
            try:
                line = Path("/proc", str(pid), "cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            # the instructor's implementations, which tests of students are tried on
            if b"dpteach.grading.suspects" not in line:
                found[pid] = f"{pid} {line.decode(errors='replace')}"


class Listeners:
    """Servers that nobody should reach; `met` says who came."""

    def __init__(self, name: str) -> None:
        self.met: list[str] = []
        self._loopback = socket.create_server(("127.0.0.1", 0))
        self.port = self._loopback.getsockname()[1]
        self._abstract = socket.socket(socket.AF_UNIX)
        self._abstract.bind("\0" + name)
        self._abstract.listen()
        for server in (self._loopback, self._abstract):
            threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def _serve(self, server: socket.socket) -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return
            self.met.append(str(server.family))
            link.close()

    def close(self) -> None:
        for server in (self._loopback, self._abstract):
            server.close()


# what came back


def outputs(notebook: str) -> str:
    """All text that the cells of a graded notebook wrote."""
    texts = []
    for cell in json.loads(notebook)["cells"] if notebook else []:
        for output in cell.get("outputs", []):
            if output["output_type"] == "stream":
                texts.append("".join(output["text"]))
            elif output["output_type"] == "error":
                texts.append(output["evalue"])
            else:
                texts += [str(text) for text in output.get("data", {}).values()]
    return "\n".join(texts)


def secrets(exam: bytes) -> dict[str, str]:
    """Texts that give a hidden case away, and what each of them is.

    The digits of hidden arguments and of the answers to them, as far as they stand nowhere in
    what students are shown: eight digits or more, with the point or without.
    """
    known = json.loads(exam)
    shown = known["notebook"] + json.dumps([item["visible"] for item in known["items"]])
    shown = re.sub(r"\D+", " ", shown)
    found: dict[str, str] = {}
    for item in known["items"]:
        for case in (item["hidden"] or {}).get("cases", ()):
            for what in ("args", "expected", "law", "mistakes"):
                for number in re.findall(
                    r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", json.dumps(case.get(what))
                ):
                    digits = re.sub(r"e.*", "", number).replace(".", "").strip("0")
                    if len(digits) >= 8 and digits not in shown.replace(" ", ""):
                        found[digits] = f"{item['name']}: {what}"
    return found


def told(text: str, hidden: Mapping[str, str]) -> list[str]:
    """What of the hidden cases stands in a text."""
    runs = set()
    for run in re.findall(r"\d[\d._]*", text):
        runs.add(re.sub(r"\D", "", run).strip("0"))
    everything = " ".join(runs)
    return sorted({what for digits, what in hidden.items() if digits in everything})
