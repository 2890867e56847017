"""A simulated term of a course with three assignments, in which commands are killed.

`Term.steps` yields the steps of the term in order; most of them are ``dpteach`` commands.
`Term.run` carries them out. It kills some steps at a random moment and then runs them again, as an
instructor would after a crash. `expected` computes every grade from the submissions and from the
log, in which the commands record decisions, without using the package's code.

Run as a program, it simulates a term of 150 students, and kills 30 of its steps::

    python tests/term/simulation.py FOLDER [--students N] [--kills N] [--seed N]
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import math
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "grading")]

import a_class  # noqa: E402
import small_course  # noqa: E402
from a_class import Student  # noqa: E402

ASSIGNMENTS = ("one", "three", "two")
ASSISTANTS = ("Ada", "Ben", "Cleo")
ITEMS = {"double_values": 2.0, "half_values": 1.0, "why": 3.0}
DUE = {name: datetime(2026, 12, day, 12) for name, day in zip(ASSIGNMENTS, (1, 15, 8), strict=True)}

#: the course's late penalty: points for each day (or part of one), minutes of grace, and the
#: largest possible penalty
PENALTY = (2.5, 60, 12.5)

#: about how many seconds each slow step takes, so that a random kill comes in the middle of the
#: step
SECONDS = {"roster": 0.5, "grade": 0.5, "mark": 1.2, "collect": 0.1, "rule": 0.4, "report": 0.2}

#: how many events of each kind the course's log must have after all steps. A step that was killed
#: and run again must neither lose a decision nor record it twice
DECISIONS = {"roster": 2, "due": 3, "collected": 6, "extension": 6, "add": 1, "withdraw": 2}
DECISIONS |= {"override": 2, "drop": 2, "regrade": 1, "settle": 1, "undo": 1, "sent": 6}
DECISIONS |= {"points": 1, "rejoin": 1, "final": 1}

#: a step of the simulated term: its name, and the function that carries it out
Step = tuple[str, Callable[[], None]]


def make_course(root: Path) -> Path:
    """Create a course with three assignments, and build the assignments."""
    from dpteach.grading.author.build import build_assignments

    (root / "assignments").mkdir(parents=True)
    shutil.copy(small_course.ROOT / "course_src" / "nbgrader_config.py", root)
    for name in ASSIGNMENTS:
        (root / "assignments" / f"{name}.md").write_text(small_course.SOURCE, encoding="utf-8")
    small_course.ask_nbgrader_once()
    build_assignments(root, ASSIGNMENTS)
    return root


def marked(student: str, assignment: str) -> float:
    """Return the points that simulated markers give a student's written answer."""
    return float(sum(map(ord, student + assignment)) % 4)


@dataclass
class Term:
    """A simulated term of a course.

    Attributes
    ----------
    course
        The folder of the course (`make_course`).
    people
        The students; the last student joins late.
    kills
        How often a random step is killed before it is completed.
    """

    course: Path
    people: list[Student]
    kills: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.files = self.course.parent / "downloads"
        self.files.mkdir(exist_ok=True)
        self.days: list[Path] = []
        self.killed = False

    # ------------------------------------------------------------------------------- commands

    def call(self, *words: str, codes: Iterable[int] = (0,)) -> str:
        """Run a ``dpteach`` command in this process, and return its output."""
        from dpteach import cli

        told = io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            try:
                code = cli.main([*words, "--course", str(self.course)])
            except SystemExit as stop:  # argparse raises SystemExit for wrong arguments
                code = stop.code
        assert code in codes, (words, code, told.getvalue())
        assert "Traceback" not in told.getvalue(), told.getvalue()
        return told.getvalue()

    def decide(self, *words: str, codes: Iterable[int] = (0,)) -> str:
        """Run a command of ``dpteach term`` that records a decision with a reason."""
        return self.call("term", *words, "--by", "Dr. Lee", "--why", "a reason", codes=codes)

    def again(self, *words: str) -> None:
        """Record a decision, unless a killed run of the step has recorded it already."""
        told = self.decide(*words, codes=(0, 2))
        refused = told.startswith("dpteach")
        assert not refused or self.killed, told

    def grade(self, name: str) -> None:
        """Grade an assignment in this process."""
        from dpteach.grading.classroom import classroom
        from dpteach.grading.classroom.progress import Progress
        from dpteach.grading.classroom.workers import Answer
        from dpteach.term.project import project

        def here(tasks: Any, work: Any, **_told: Any) -> Iterator[Answer]:
            for task in tasks:
                yield Answer(task, work(task.exam, task.files, items=task.items))

        project(self.course)
        settings = classroom.Settings(workers=1, grade=small_course.fake_grade)
        with (
            mock.patch.object(classroom, "local", lambda *_: contextlib.nullcontext()),
            mock.patch.object(classroom, "answers", here),
        ):
            summary = classroom.grade_class(self.course, name, settings, Progress(io.StringIO()))
        assert not summary.failed, summary

    def mark(self, name: str) -> None:
        """Let the three simulated markers mark all answers that are assigned to them."""
        from dpteach.term.marking.desk import Desk

        desk = Desk(self.course, name)
        for who in ASSISTANTS:
            desk.join(who)
        students = {number: text.split(" (")[0] for number, text in desk.names("Ada").items()}
        for who in ASSISTANTS:
            for one in desk.item("why", who)["answers"]:
                answer = desk.answer("why", one["number"], who)
                if one["mine"] and not answer.get("mark"):
                    points = marked(students[one["number"]], name)
                    told = {"who": who, "points": points, "comment": "", "lines": []}
                    desk.mark("why", one["number"], told | {"seen": answer["seen"]})

    # --------------------------------------------------------------------------- submissions

    def answered(self, name: str, student: Student) -> bytes:
        """Return the notebook that a student submits; every third student gives a wrong answer."""
        text = (self.course / "release" / name / f"{name}.ipynb").read_text("utf-8")
        notebook = json.loads(text)
        double = small_course.WRONG if student.number % 3 == 0 else small_course.RIGHT
        answers = {"double": double, "half": "def half(x):\n    return x / 2"}
        answers["why"] = f"Because of {student.login}."
        for cell in notebook["cells"]:
            cell_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = answers.get(cell_id, cell["source"])
        return json.dumps(notebook).encode()

    def came(self, name: str, student: Student) -> datetime:
        """Return when a student submits: 3 hours before, or 2 or 25 hours after, the due date."""
        late = 25.0 if student.number % 5 == 0 else 2.0 if student.number % 7 == 0 else -3.0
        return DUE[name] + timedelta(hours=late)

    def kind(self, name: str, student: Student) -> str:
        """Return how a student submits an assignment.

        The student uses the LMS ("LMS"), uploads an invalid file there ("broken"), gives the file
        to the instructor ("by hand"), or submits nothing ("missing").
        """
        number = student.number + ASSIGNMENTS.index(name)
        return {0: "missing", 1: "broken", 2: "by hand", 3: "by hand"}.get(number % 12, "LMS")

    def download(self, name: str) -> None:
        """Write the zip file of submissions that an instructor would download from an LMS."""
        files: dict[str, bytes] = {}
        for one in self.people:
            kind, came = self.kind(name, one), self.came(name, one)
            if kind not in ("LMS", "broken"):
                continue
            data = self.answered(name, one) if kind == "LMS" else b"{ this is no notebook"
            if name == "one":
                files[a_class.canvas_name(one, f"{name}.ipynb")] = data
            else:
                when = came.strftime("%Y-%m-%d-%H-%M-%S")
                files |= a_class.blackboard_files(one, name, when, f"{name}.ipynb", data)
        (self.files / f"{name}.zip").write_bytes(a_class.archive(files))

    def collect(self, name: str) -> None:
        """Run ``dpteach term collect`` on the files that were downloaded for an assignment."""
        files = [str(path) for path in sorted(self.files.glob(f"{name}.*"))]
        self.call("term", "collect", name, *files, codes=(0, 1))

    def by_hand(self, name: str) -> None:
        """Copy the submissions of students who do not use an LMS to the folder ``submitted``."""
        for one in self.people:
            if self.kind(name, one) == "by hand":
                folder = self.course / "submitted" / one.login / name
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{name}.ipynb").write_bytes(self.answered(name, one))
                stamp = f"{self.came(name, one):%Y-%m-%d %H:%M:%S} UTC\n"
                (folder / "timestamp.txt").write_text(stamp)

    def by_mail(self, name: str, student: Student) -> None:
        """Collect a file that a student sent by mail 47 hours after the due date."""
        file = self.files / f"{student.login}_{name}.ipynb"
        file.write_bytes(self.answered(name, student))
        self.call("term", "collect", name, str(file))
        stamp = f"{DUE[name] + timedelta(hours=47):%Y-%m-%d %H:%M:%S} UTC\n"
        (self.course / "submitted" / student.login / name / "timestamp.txt").write_text(stamp)

    # ------------------------------------------------------------------------------ the term

    def steps(self) -> Iterator[Step]:
        """Yield all steps of the simulated term in order."""
        people = self.people
        first, second, third, fourth = (one.login for one in people[3:7])

        def one(name: str, *words: str) -> Step:
            return f"{name} {words[0]}", lambda: void(self.again(name, *words))

        yield "roster", lambda: self.roster("gradebook.csv", people[:-1])
        yield "roster again", lambda: self.roster("blackboard.xls", people[:-1])
        for name in ("one", "two", "three"):
            yield one("due", name, f"{DUE[name]:%Y-%m-%d %H:%M} UTC")
            yield f"download {name}", lambda name=name: self.download(name)
            yield f"collect {name}", lambda name=name: self.collect(name)
            yield f"by hand {name}", lambda name=name: self.by_hand(name)
            yield one("extension", name, first, second, "--days", "1")
            yield f"grade {name}", lambda name=name: self.grade(name)
            yield one("extension", name, third, "--days", "3")
            late = next(one for one in people[8:-1] if self.kind(name, one) == "missing")
            yield f"by mail {name}", lambda name=name, late=late: self.by_mail(name, late)
            yield f"grade {name} again", lambda name=name: self.grade(name)
            yield f"mark {name}", lambda name=name: self.mark(name)
            yield f"backup {name}", lambda name=name: self.backup(name)
            if name == "one":
                yield one("add", people[-1].login, "--last", "Late")
                yield one("withdraw", fourth)
                yield one("override", name, second, "0.5", "--item", "half_values")
            if name == "two":
                yield one("drop", name, "double_values", "--out")
                request = ("request", name, first, "--item", "why", "--why", "Please look.")
                yield "request", lambda request=request: self.request(*request)
                yield "settle", lambda: self.settle(2.5)
                yield one("override", name, third, "4")
                yield "undo", lambda: self.undo("override", "two")
            yield f"grades {name}", lambda name=name: self.grades(name)
            yield f"feedback {name}", lambda name=name: self.feedback(name)
        yield one("drop", "three", "half_values", "--full")
        yield one("points", "three", "why", "6")
        yield one("rejoin", fourth)
        yield one("withdraw", people[2].login)
        weights = ("--weight", "one=1", "--weight", "two=2", "--weight", "three=1")
        yield "rule", lambda: void(self.decide("final", *weights, "--drop-lowest", "1"))
        yield "report", lambda: void(self.call("report", "three"))
        yield "last backup", lambda: self.backup("end")

    def roster(self, name: str, people: Iterable[Student]) -> None:
        """Write a roster (Canvas's if `name` ends in .csv, else Blackboard's), and record it."""
        canvas = name.endswith(".csv")
        make, title = (
            (a_class.canvas_gradebook, "one") if canvas else (a_class.blackboard_gradebook, "three")
        )
        (self.files / name).write_bytes(make(people, title))
        self.call("term", "roster", str(self.files / name))

    def request(self, *words: str) -> None:
        """Record a request for regrading.

        If this step was killed and is run again, the command itself must see that the request is
        already recorded.
        """
        self.call("term", "regrade", *words, "--by", "Dr. Lee")

    def settle(self, points: float) -> None:
        """Settle the only request for regrading, unless a killed run has settled it already."""
        number = next(e["number"] for e in events(self.course) if e["kind"] == "regrade")
        words = ("regrade", "settle", str(number), "--points", f"{points:g}", "--why", "Right.")
        self.call("term", *words, "--by", "Dr. Lee", codes=(0, 2))

    def undo(self, kind: str, assignment: str) -> None:
        """Undo the latest decision of a kind about an assignment, unless all are undone already."""
        wanted = [
            e["number"]
            for e in events(self.course)
            if e["kind"] == kind and e["data"].get("assignment") == assignment
        ]
        if wanted:  # otherwise a killed run of this step has already undone the decision
            self.again("undo", str(wanted[-1]))

    def backup(self, name: str) -> None:
        """Write a backup, and beside it the grades of this moment, for comparison in `check`."""
        file = self.files / f"{name}.tar.gz"
        self.call("backup", str(file), *(("--yes",) if file.exists() else ()), codes=(0,))
        known = {one: expected(self.course, one) for one in ASSIGNMENTS}
        file.with_suffix(".json").write_text(json.dumps(known))
        if file not in self.days:
            self.days.append(file)

    def grades(self, name: str) -> None:
        """Run ``dpteach term grades`` for an assignment."""
        form = {"one": "canvas", "two": "plain", "three": "blackboard"}[name]
        target = self.files / f"{name}-grades.csv"
        words = ("--for", form, "--to", str(target))
        self.call("term", "grades", name, *words, codes=(0, 1))

    def feedback(self, name: str) -> None:
        """Run ``dpteach term feedback`` for an assignment."""
        form = "canvas" if name == "one" else "plain"
        target = self.files / f"{name}-feedback.zip"
        self.call("term", "feedback", name, "--for", form, "--to", str(target), codes=(0, 1))

    def run(self, say: Callable[[str], None] = lambda text: None) -> None:
        """Carry out all steps; kill some of them at a random moment, and then run them again."""
        steps = list(self.steps())
        killed = sorted(self.random.choices(range(len(steps)), k=self.kills))
        for number, (name, do) in enumerate(steps):
            self.killed = number in killed
            for _again in range(killed.count(number)):
                after = SECONDS.get(name.partition(" ")[0], 0.15) * self.random.random()
                # if the step has ended before the kill, run it again and kill it earlier
                while not (killed_now := kill(do, after)) and after > 0.001:
                    after /= 2
                say(f"{name}: {'killed' if killed_now else 'done before the kill'}")
            begun = time.monotonic()
            do()
            say(f"{name}: {time.monotonic() - begun:.2f} s")


def void(result: object) -> None:
    """Discard the result of a call, so that a lambda that consists of the call returns None."""


def kill(do: Callable[[], None], after: float) -> bool:
    """Run a step in a child process, and kill the process after `after` seconds.

    Return False if the process ended before that.
    """
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            do()
        os._exit(0)
    end = time.monotonic() + after
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


# ------------------------------------------------------- an independent computation of all grades


def logged(course: Path) -> list[dict[str, Any]]:
    """Return all events in a course's log as JSON data; the package's own reader is not used."""
    file = course / ".term" / "log.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def events(course: Path) -> list[dict[str, Any]]:
    """Return the events of the log that were not undone."""
    found = logged(course)
    gone = {one["data"]["number"] for one in found if one["kind"] == "undo"}
    return [one for one in found if one["kind"] != "undo" and one["number"] not in gone]


def expected(course: Path, name: str) -> dict[str, tuple[str, float, float]]:
    """Compute the students' status, total and maximum in an assignment from submissions and log."""
    log = events(course)
    # begin with all students who submitted: they are graded even if the roster lacks them
    people = {path.parent.name: None for path in course.glob("submitted/*/*") if path.is_dir()}
    gone: set[str] = set()
    due, extra = None, {}
    out, full, worth, given, totals = set(), set(), dict(ITEMS), {}, {}
    for one in log:
        data, kind = one["data"], one["kind"]
        mine = data.get("assignment") == name
        if kind == "roster":
            people |= dict.fromkeys(person["id"] for person in data["people"])
        elif kind == "add":
            people[data["person"]["id"]] = None
        elif kind == "withdraw":
            gone |= {*data["students"]}
        elif kind == "rejoin":
            gone -= {*data["students"]}
        elif kind == "due" and mine:
            due = datetime.fromisoformat(data["due"])
        elif kind == "extension" and mine:
            extra |= dict.fromkeys(data["students"], datetime.fromisoformat(data["until"]))
        elif kind == "drop" and mine:
            (out if data["how"] == "out" else full).add(data["item"])
        elif kind == "points" and mine:
            worth[data["item"]] = float(data["points"])
        elif kind in ("override", "settle") and mine:
            if data["item"]:
                given[data["student"], data["item"]] = float(data["points"])
            else:
                totals[data["student"]] = float(data["points"])
    most = sum(points for item, points in worth.items() if item not in out)
    found = {}
    for student in people:
        if student in gone:
            continue
        folder = course / "submitted" / student / name
        if not folder.exists():
            found[student] = ("missing", totals.get(student, 0.0), most)
            continue
        text = "".join(path.read_text("utf-8") for path in folder.glob("*.ipynb"))
        if '"cells"' not in text:
            found[student] = ("refused", totals.get(student, 0.0), most)
            continue
        scores = {"double_values": 2.0 * ("2 * x" in text), "half_values": 1.0}
        scores["why"] = marked(student, name)
        for item in scores:
            scores[item] *= worth[item] / ITEMS[item]
            scores[item] = given.get((student, item), scores[item])
            if item in full:
                scores[item] = worth[item]
            if item in out:
                scores[item] = 0.0
        total = sum(scores.values())
        until = max(filter(None, (due, extra.get(student))), default=None)
        total = max(0.0, total - penalty(folder, until))
        found[student] = ("graded", totals.get(student, total), most)
    return found


def penalty(folder: Path, until: datetime | None) -> float:
    """Return the points that a submission loses because it came after the due date."""
    stamp = folder / "timestamp.txt"
    if until is None or not stamp.exists():
        return 0.0
    came = datetime.fromisoformat(stamp.read_text().strip().replace(" UTC", "+00:00"))
    seconds = (came.astimezone(UTC).replace(tzinfo=None) - until).total_seconds()
    per_day, grace, most = PENALTY
    return min(most, per_day * math.ceil(seconds / 86_400)) if seconds > 60 * grace else 0.0


def exported(term: Term, name: str) -> dict[str, tuple[str, float, float]]:
    """Return each student's status, total and maximum in the output of ``dpteach export``.

    Students who withdrew are left out.
    """
    target = term.files / "export.csv"
    term.call("export", name, "--to", str(target))
    with target.open(encoding="utf-8", newline="") as file:
        return {
            row["student"]: (row["status"], float(row["total"] or 0), float(row["max"]))
            for row in csv.DictReader(file)
            if row["status"] != "withdrawn"
        }


def final(course: Path) -> dict[str, float]:
    """Compute the final percentages of all students who have no refused submission.

    The weights, and how many of the lowest grades are dropped, come from the last decision about
    the final grade in the term's log.
    """
    rule = [one["data"] for one in events(course) if one["kind"] == "final"][-1]
    grades = {name: expected(course, name) for name in ASSIGNMENTS}
    found = {}
    for student in grades["one"]:
        own = {name: grades[name][student] for name in ASSIGNMENTS}
        if any(status == "refused" for status, _total, _most in own.values()):
            continue
        shares = sorted((100 * own[name][1] / own[name][2], name) for name in ASSIGNMENTS)
        kept = shares[rule["lowest"] :]
        weights = [rule["weights"][name] for _share, name in kept]
        total = sum(share * weight for (share, _name), weight in zip(kept, weights, strict=True))
        found[student] = total / sum(weights)
    return found


def differences(
    one: Mapping[str, tuple[str, float, float]], other: Mapping[str, tuple[str, float, float]]
) -> list[str]:
    """Return a line for each student whose grades differ between two tables."""
    found = []
    for student in sorted({*one, *other}):
        left, right = one.get(student), other.get(student)
        same = left and right and left[0] == right[0]
        if not same or not all(abs(a - b) < 1e-6 for a, b in zip(left[1:], right[1:], strict=True)):
            found.append(f"{student}: {left} and {right}")
    return found


def check(term: Term, tmp: Path) -> Iterator[str]:
    """Yield a line for each wrong grade, also in backups, and each wrong number of log events."""
    from dpteach.term.final import final_grades

    for name in ASSIGNMENTS:
        for line in differences(expected(term.course, name), exported(term, name)):
            yield f"{name}, {line}"
    told = {
        one.student: one.percent for one in final_grades(term.course) if one.status == "complete"
    }
    again = final(term.course)
    for student in sorted({*told, *again}):
        left, right = told.get(student), again.get(student)
        if left is None or right is None or abs(left - right) > 1e-6:
            yield f"final, {student}: {right} and {left}"
    # do not count roster events without students: if a killed step has recorded all students, its
    # second run records such an event
    made = (one for one in logged(term.course) if one["data"].get("people", True))
    found = Counter(one["kind"] for one in made)
    for kind in sorted({*found, *DECISIONS}):
        if found[kind] != DECISIONS.get(kind):
            yield f"{found[kind]} events {kind} are in the log, and {DECISIONS.get(kind)} were made"
    for file in term.days:
        yield from _check_day(term, file, tmp / f"restored {file.name}")


def _check_day(term: Term, file: Path, place: Path) -> Iterator[str]:
    """Restore a backup, and yield a line for each difference from the grades stored beside it."""
    place.mkdir(parents=True)
    for name in ("nbgrader_config.py", "assignments"):
        source = term.course / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, place / name)
    restored = Term(place, term.people)
    restored.call("restore", str(file))
    known = json.loads(file.with_suffix(".json").read_text())
    for name in ASSIGNMENTS:
        if any(status == "graded" for status, *_rest in known[name].values()):
            day = {student: tuple(told) for student, told in known[name].items()}
            for line in differences(day, exported(restored, name)):
                yield f"backup {file.name}, {name}, {line}"


def main() -> int:
    """Simulate a term in the folder that the arguments name; return 1 if `check` finds an error."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=150)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    course = make_course(told.folder / "a course")
    term = Term(course, a_class.students(told.students), told.kills, told.seed)
    term.run(lambda text: print(text, flush=True))
    found = list(check(term, told.folder / "days"))
    print("\n".join(found) or "every grade is right, now and in the backups")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
