"""A test run that grades all attacks, that is, hostile submissions, in one batch and inspects the
results.

The grading process is a "subreaper": processes that its child processes leave behind become its own
children. It also has its own temporary folder and home folder. So a test can tell that no process
and no file was left behind, even if other programs run on the same machine.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hostile.reader import VISIBLE, Attack, whole
from hostile.structure import STUDENTS, Files, dump

if TYPE_CHECKING:
    from dpteach.grading.core.exam import Exam
    from dpteach.grading.core.result import Result

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "course_src"
NAME = "renyi_dp"

#: a secret that no attack may read. The tests plant it in the instructor's source, in the
#: environment, in the home folder and in another submission. It is in two pieces here, so that a
#: search of the disk does not find it in this file
CANARY = "canary-" + "9b1d70c4e2"

#: the seed from which hidden test inputs are drawn
SEED = 20

#: limits of a submission, smaller than in a course, so that the tests take a few minutes. On a
#: machine that needs more than `START` seconds to start five kernels, `wall_seconds` and
#: `cell_seconds` are raised in proportion
LIMITS = {
    "memory": 768 << 20,
    "cpu_seconds": 60,
    "wall_seconds": 15.0,
    "cell_seconds": 2.5,
    "disk_bytes": 32 << 20,
    "file_bytes": 16 << 20,
    "flood_bytes": 16 << 20,
    "message_bytes": 16 << 20,
}

START = 0.8

_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Place:
    """What the attacks of one test run are built from, and the targets that they try to reach.

    Attributes
    ----------
    exam
        The bytes of the exam, which contains all checks with their hidden cases.
    right
        The notebook of a correct submission, in which attacks replace cells.
    checks
        The visible checks, which every student has.
    port, name
        The port and the Unix socket that attacks try to reach. Attacks also write the name of the
        socket into the files that they leave behind, so that tests find these files.
    """

    exam: bytes
    right: dict[str, Any]
    checks: dict[str, Any]
    port: int
    name: str

    def words(self) -> dict[str, str]:
        """Return the value of each placeholder word that occurs in files of attacks."""
        return {
            "HOSTILE_TOKEN": f"left-by-{self.name}",
            "HOSTILE_PORT": str(self.port),
            "HOSTILE_SOCKET": self.name,
            # this word stands for a Python literal in the source of a cell. A notebook stores this
            # source as a JSON string, so the value is escaped for JSON
            "HOSTILE_CHECKS": json.dumps(repr(self.checks))[1:-1],
        }

    def files(self, attack: Attack) -> Files:
        """Return the files that an attack submits."""
        return attack.files(self.right, self.words())


def make_place(text_source: Path, port: int, name: str) -> Place:
    """Return what attacks are built from and the targets that they try to reach.

    The data for grading and a correct submission are made from `text_source`, the source of an
    assignment. The targets are `port` and a Unix socket called `name`.
    """
    from dpteach.grading.author.making import make_exam

    exam = make_exam(text_source, SEED)
    notebook = whole(json.loads(exam.notebook))
    for cell in notebook["cells"]:
        text = re.sub(r"(?s)### BEGIN MARK SCHEME.*?### END MARK SCHEME", "", cell["source"])
        cell["source"] = re.sub(r"(?m)^\s*### (BEGIN|END) SOLUTION\n?", "", text).strip("\n")
    checks = {item.name: item.visible for item in exam.items if item.visible}
    return Place(exam.to_bytes(), notebook, checks, port, name)


@dataclass
class Batch:
    """The results of grading one set of attacks.

    Attributes
    ----------
    root
        The folder of the course.
    place, exam, secrets
        What the attacks are built from, the data for grading, and the digits that would reveal
        hidden test cases.
    results
        The result of each student.
    report
        What the grading process reports about itself (see `grade`).
    met
        The connections to servers that no submission may reach.
    """

    root: Path
    place: Place
    exam: Exam
    secrets: dict[str, str]
    results: dict[str, Result]
    report: dict[str, Any]
    met: list[str]

    def page(self, student: str) -> str:
        """Return a student's feedback page, or "" if there is none."""
        pages = list((self.root / "feedback" / student / NAME).glob("*.html"))
        return pages[0].read_text("utf-8") if pages else ""


def run_batch(folder: Path, attacks: list[Attack], students: tuple[str, ...] = STUDENTS) -> Batch:
    """Make a course in `folder`, submit attacks and students' correct solutions, and grade all."""
    from dpteach.grading.author.build import build_assignments
    from dpteach.grading.core.exam import Exam
    from dpteach.grading.course.store import Store

    root = folder / "course"
    text_source = make_course(root)
    name = f"hostile-{folder.stat().st_ino}"
    listeners = Listeners(name)
    place = make_place(text_source, listeners.port, name)
    build_assignments(root, [NAME])
    hand_in(root, place, attacks, students)
    report = grade(root, folder / "own")
    listeners.close()
    results = dict(Store(root, NAME).results())
    exam = Exam.from_bytes(place.exam)
    return Batch(root, place, exam, secrets(place.exam), results, report, listeners.met)


def make_course(root: Path) -> Path:
    """Make a course whose source contains the secret `CANARY`; return the path of the source."""
    root.mkdir()
    settings = (COURSE / "nbgrader_config.py").read_text("utf-8")
    # include the optional sections of the assignment, so that attacks on them are graded
    assert "optional = False" in settings
    (root / "nbgrader_config.py").write_text(
        settings.replace("optional = False", "optional = True"), "utf-8"
    )
    (root / "assignments").mkdir()
    text = (COURSE / "assignments" / f"{NAME}.md").read_text("utf-8")
    marked = text.replace(":kind: reference\n", f":kind: reference\n\n# {CANARY}", 1)
    target = root / "assignments" / f"{NAME}.md"
    target.write_text(marked, "utf-8")
    return target


def hand_in(root: Path, place: Place, attacks: list[Attack], students: tuple[str, ...]) -> None:
    """Submit the attacks, a correct solution, and correct solutions of students with odd names."""
    for attack in attacks:
        folder = root / "submitted" / attack.name / NAME
        folder.mkdir(parents=True)
        attack.fill(folder, place.right, place.words())
    honest = json.loads(json.dumps(place.right))
    honest["cells"].append({"cell_type": "markdown", "source": CANARY, "metadata": {}, "id": "x"})
    for student, notebook in {"zzz_honest": honest, **dict.fromkeys(students, place.right)}.items():
        folder = root / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(dump(notebook))


def grade(root: Path, own: Path) -> dict[str, Any]:
    """Grade the course in a separate process, and return its output, its duration and what it
    left behind.

    Parameters
    ----------
    root
        The folder of the course.
    own
        An empty folder for the process's home folder and temporary files.
    """
    (own / "home").mkdir(parents=True)
    (own / "home" / "notes.txt").write_text(CANARY)
    (own / "tmp").mkdir()
    environment = {
        **os.environ,
        "HOME": str(own / "home"),
        "TMPDIR": str(own / "tmp"),
        "DPTEACH_CANARY": CANARY,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "hostile.harness", str(root)],
        env=environment,
        cwd=own / "home",
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1200,
        check=False,
    )
    report: dict[str, Any] = {"code": done.returncode, "said": done.stdout, "log": done.stderr}
    if (root / "report.json").exists():
        report |= json.loads((root / "report.json").read_text())
    expected = {"home", "tmp", "notes.txt"}
    report["files"] = [str(path) for path in own.rglob("*") if path.name not in expected]
    return report


def main(root: str) -> None:
    """Grade the course in the process that `grade` starts, and write a report on this process."""
    from dpteach.grading.classroom.classroom import Settings, grade_class
    from dpteach.grading.sandbox.limits import Limits
    from dpteach.grading.sandbox.sandbox import Sandbox
    from hostile.quick import grade_quickly

    # measure twice how long five kernels take to start, and use the second result, because the
    # first kernel that a machine starts is slow
    for _ in range(2):
        begun = time.monotonic()
        for _ in range(5):
            with Sandbox():
                pass
        slow = min(max(1.0, (time.monotonic() - begun) / START), 5.0)
    os.environ["HOSTILE_SLOW"] = str(slow)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = descendants()
    begun = time.monotonic()
    limits = Limits(**LIMITS)
    limits = replace(
        limits,
        wall_seconds=slow * limits.wall_seconds,
        cell_seconds=slow * limits.cell_seconds,
    )
    settings = Settings(workers=2, seed=SEED, limits=limits, grade=grade_quickly)
    summary = grade_class(root, NAME, settings)
    print(summary.text())
    seconds = time.monotonic() - begun
    # wait for child processes of killed grading processes: a child that calls the instructor's
    # functions ends by itself after its current call, which may take two seconds of processor time
    end = time.monotonic() + 5.0 * slow
    while (left := set(descendants().values()) - set(before.values())) and time.monotonic() < end:
        time.sleep(0.1)
    report = {"seconds": seconds, "slow": slow, "processes": sorted(left)}
    Path(root, "report.json").write_text(json.dumps(report))


def descendants() -> dict[int, str]:
    """Return the running descendants of this process with their command lines."""
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
            # leave out Python's own helper process, which ends with its parent process
            if b"multiprocessing.resource_tracker" not in line:
                found[pid] = f"{pid} {line.decode(errors='replace')}"


class Listeners:
    """Servers that no submission may reach; `met` lists the connections that they received."""

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
        """Close both servers."""
        for server in (self._loopback, self._abstract):
            server.close()


# functions that inspect the results


def outputs(notebook: str) -> str:
    """Return all text in the outputs of a graded notebook: printed, displayed, or of errors.

    `notebook` is the JSON of the notebook, or "" if there is none.
    """
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
    """Return digits that would reveal a hidden test case, each with a description.

    The digits are those of each number with at least eight digits in a hidden case: an argument, a
    right answer, a known wrong answer, or a parameter of the right distribution. The decimal point
    is removed. Digits that also occur in the material for students are left out.
    """
    known = json.loads(exam)
    shown = known["notebook"] + json.dumps([item["visible"] for item in known["items"]])
    shown = re.sub(r"\D+", "", shown)
    found: dict[str, str] = {}
    for item in known["items"]:
        for case in (item["hidden"] or {}).get("cases", ()):
            for what in ("args", "expected", "law", "mistakes"):
                for number in re.findall(
                    r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", json.dumps(case.get(what))
                ):
                    digits = re.sub(r"e.*", "", number).replace(".", "").strip("0")
                    if len(digits) >= 8 and digits not in shown:
                        found[digits] = f"{item['name']}: {what}"
    return found


def told(text: str, hidden: Mapping[str, str]) -> list[str]:
    """Return which hidden cases a text reveals, as descriptions.

    `hidden` is a result of `secrets`. A case is revealed if the text contains the digits of one of
    the case's long numbers.
    """
    runs = {re.sub(r"\D", "", run).strip("0") for run in re.findall(r"\d[\d._]*", text)}
    everything = " ".join(runs)
    return sorted({what for digits, what in hidden.items() if digits in everything})


def deserved(attack: Attack, exam: Exam) -> dict[str, float]:
    """Return the most points that an attack deserves, by item.

    The result contains the items with an automatic check that `attack.points` lists, or all of
    them if it has the key "every".
    """
    from dpteach.grading.judging.credit import credit
    from dpteach.grading.judging.verdict import Verdict

    most = {}
    for item in exam.items:
        if item.kind != "check" or not {item.name, "every"} & set(attack.points):
            continue
        points = attack.points.get(item.name, attack.points.get("every", 0.0))
        if points == VISIBLE:
            passed = Verdict(item.name, item.points, "", False, 1, 0, earned=1)
            failed = Verdict(item.name, item.points, "", True, 1, 1)
            points = credit(item, passed, failed if item.hidden else None)
        most[item.name] = min(points, item.points)
    return most


def undeserved(attack: Attack, exam: Exam, result: Result) -> dict[str, float]:
    """Return the items that got more points than an attack deserves, each with its points."""
    most = deserved(attack, exam)
    return {
        item.name: item.score or 0.0
        for item in result.items
        if item.kind == "check" and (item.score or 0.0) > most.get(item.name, item.points)
    }


def lost(attack: Attack, exam: Exam, result: Result) -> dict[str, tuple[Any, ...]]:
    """Return the items that lost points although the attack does not concern them.

    Each item comes with its points and the grader's explanation. The result is empty if the
    attack is allowed to lower the points of any item.
    """
    most = deserved(attack, exam)
    return {
        item.name: (item.score, item.reason, item.note)
        for item in result.items
        if item.kind == "check"
        and not attack.lost
        and item.name not in most
        and item.score != item.points
    }


def reached(result: Result, page: str) -> list[str]:
    """Return signs that a submission reached a target outside of its sandbox.

    A sign is a text that an attack prints if it succeeds, or the secret `CANARY`.
    """
    said = outputs(result.notebook)
    found = [
        said[said.index(word) :][:200] for word in ("READ OUTSIDE", "PLANTED FILE") if word in said
    ]
    return found + ([CANARY] if CANARY in result.to_bytes().decode() + page else [])


class _Markup(HTMLParser):
    """A parser that collects injected parts of a page that a browser would execute or load."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script"
        for name, value in attrs:
            text = f"{tag} {name}={value}"
            if "HOSTILE" in text.upper() and (name.startswith("on") or "javascript:" in text):
                self.found.append(text)
            if name in ("src", "action", "srcdoc", "data") and value and "HOSTILE" in value:
                self.found.append(text)
            if value and "198.51.100.1" in value:
                self.found.append(text)
        if tag in ("iframe", "form", "object", "embed", "base"):
            self.found.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script and "HOSTILE_SCRIPT" in data:
            self.found.append(f"script: {data[:100]}")


def dangerous(page: str) -> list[str]:
    """Return the injected parts of a page that a browser would run.

    The list has one more entry if the page contains 1337: this is the result of a calculation that
    attacks submit as a template, so the template was executed.
    """
    parser = _Markup()
    parser.feed(page)
    parser.close()
    return parser.found + (["a template was filled in"] if "1337" in page else [])


if __name__ == "__main__":
    main(sys.argv[1])
