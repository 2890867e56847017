"""A script that grades all attacks (hostile submissions) with stock nbgrader and records the
results in ``stock.json``.

    python tests/hostile/stock.py [NAME ...]

Without names, the script grades the attacks that lack a result in the file, so an interrupted run
can be continued. To grade an attack again, name it, or delete its result from the file.

The script builds the course from an old commit, before the project had its own grader: one notebook
with visible and hidden checks, executed by `nbgrader autograde` in the same kernel as the student's
code, and `nbgrader generate_feedback` after it, with the settings that keep hidden tests out of the
pages and restore missing cells. Each submission is graded together with a blank one, in a sandbox
of its own (root and bubblewrap needed) with a private copy of everything, because stock nbgrader
would do to this machine whatever the submission says.

The results say for each submission whether it had one of these effects:

``points``
    The submission got points that it does not deserve, or changed the blank one's points.
``outside``
    The submission read a planted secret, or reached a target that students' code must not reach.
``hidden``
    The submission's feedback page contains a hidden test input.
``ended``
    The blank submission, which is graded after it, is not graded or got no page.
``left``
    A process that the submission started was still running afterwards.
``late``
    The commands exceeded the time limit `SECONDS` and were killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path.insert(0, str(TESTS))

from hostile.reader import NOTEBOOK, VISIBLE, Attack, read_bank, whole  # noqa: E402

#: the last commit of this project that graded with nbgrader; the script runs the grading of this
#: commit
COMMIT = "9321c2d"
NAME = "renyi_dp"
RESULTS = Path(__file__).with_name("stock.json")

#: time limits in seconds: for both nbgrader commands together, and for one notebook cell
SECONDS = 75
CELL_SECONDS = 10

#: the number of submissions graded at the same time
WORKERS = 3

#: a program that runs both nbgrader commands in one process, which saves a third of the time
COMMANDS = f"""
from nbgrader.apps import AutogradeApp, GenerateFeedbackApp
for command in (AutogradeApp, GenerateFeedbackApp):
    try:
        command.launch_instance(["{NAME}"])
    except SystemExit:
        pass
    command.clear_instance()
"""

CANARY = "canary-" + "5f0c1b7a9d"
TOKEN = "hostile-left-behind"
SOCKET = "hostile-abstract"
PORT = "18786"


# outside the sandbox: make the course and start the sandboxes


def make_course(folder: Path) -> None:
    """Unpack the project at `COMMIT`, and build a course: an assignment and a blank submission."""
    archive = folder / "archive"
    archive.mkdir()
    packed = subprocess.run(
        ["git", "archive", COMMIT, "dpteach", "course_src"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(archive)], input=packed, check=True)
    course = folder / "course"
    course.mkdir()
    shutil.copytree(archive / "course_src" / "assignments", course / "assignments")
    config = (archive / "course_src" / "nbgrader_config.py").read_text("utf-8")
    config = config.replace("c.Execute.timeout = 120", f"c.Execute.timeout = {CELL_SECONDS}")
    (course / "nbgrader_config.py").write_text(config)
    script = f"""
import json, pathlib, sys
from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.parts import declared
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.source import read_source
import nbformat
root = pathlib.Path({str(course)!r})
(built,) = build_assignments(root, [{NAME!r}])
source = read_source(root / "assignments" / "{NAME}.md")
release = nbformat.read(built.release / "{NOTEBOOK}", 4)
right = submission(release, source, {{}})
honest = root / "submitted" / "honest" / {NAME!r}
honest.mkdir(parents=True)
nbformat.write(right, root.parent / "right.json")
with_words = nbformat.from_dict(release)
with_words.cells.append(nbformat.v4.new_markdown_cell({CANARY!r}))
nbformat.write(with_words, honest / "{NOTEBOOK}")
checks = read_checks(source).values()
shown = repr([(case.args, case.kwargs) for check in checks for case in check.visible])
hidden = sorted({{repr(a) for check in checks for case in check.hidden for a in case.args
                  if len(repr(a)) > 6 and repr(a) not in shown}})
points = {{name: most for name, most in built.points.items()}}
visible = json.loads((built.source / "checks.json").read_text())["checks"]
(root.parent / "facts.json").write_text(json.dumps(
    {{"points": points, "hidden": hidden, "checks": repr(visible)}}))
"""
    environment = dict(os.environ, PYTHONPATH=str(archive))
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, cwd=folder)
    text = course / "assignments" / f"{NAME}.md"
    text.write_text(text.read_text("utf-8") + f"\n<!-- {CANARY} -->\n")


def sandboxed(attack: Attack, folder: Path, *, first: bool = False) -> dict[str, Any]:
    """Grade one attack with stock nbgrader in a sandbox, and return which effects it had.

    If `first` is True, the sandbox may write compiled Python modules, which later sandboxes share.
    """
    prefix = Path(os.path.realpath(sys.base_prefix))
    user = str(0x7000_0000 + os.getpid() % 1000)
    with tempfile.TemporaryDirectory() as out:
        os.chmod(out, 0o777)
        command = [
            "bwrap",
            "--unshare-ipc",
            "--unshare-pid",
            "--unshare-net",
            "--unshare-uts",
            "--die-with-parent",
            "--new-session",
            "--cap-drop",
            "ALL",
            "--cap-add",
            "CAP_SETUID",
            "--cap-add",
            "CAP_SETGID",
            "--cap-add",
            "CAP_SETPCAP",
            "--clearenv",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--ro-bind",
            "/usr",
            "/usr",
            "--ro-bind",
            "/etc/alternatives",
            "/etc/alternatives",
            "--ro-bind",
            "/etc/ld.so.cache",
            "/etc/ld.so.cache",
        ]
        for system in ("bin", "sbin", "lib", "lib64"):
            if Path("/", system).is_symlink():
                command += ["--symlink", os.readlink(f"/{system}"), f"/{system}"]
            else:
                command += ["--ro-bind-try", f"/{system}", f"/{system}"]
        for path in (prefix, Path(sys.prefix), Path("/tests/hostile")):
            for parent in reversed(path.parents[:-1]):
                command += ["--dir", str(parent)]
        command += [
            "--ro-bind",
            str(prefix),
            str(prefix),
            "--ro-bind",
            sys.prefix,
            sys.prefix,
            "--ro-bind",
            str(folder),
            "/stock",
            "--bind" if first else "--ro-bind",
            str(folder / "compiled"),
            "/stock/compiled",
            "--ro-bind",
            str(folder / "hostile"),
            "/tests/hostile",
            "--bind",
            out,
            "/out",
            "--perms",
            "1777",
            "--size",
            str(1 << 30),
            "--tmpfs",
            "/tmp",
            "--chdir",
            "/tmp",
            "--setenv",
            "PATH",
            f"{sys.prefix}/bin:/usr/bin:/bin",
            "--setenv",
            "HOME",
            "/tmp/home",
            "--setenv",
            "PYTHONPATH",
            "/stock/archive:/tests",
            "--setenv",
            "LANG",
            "C.UTF-8",
            "--setenv",
            "DPTEACH_CANARY",
            CANARY,
            "--setenv",
            "OMP_NUM_THREADS",
            "1",
            "--setenv",
            "PYTHONPYCACHEPREFIX",
            "/stock/compiled",
            "--setenv",
            "USER",
            "instructor",
            "--",
            "setpriv",
            f"--reuid={user}",
            f"--regid={user}",
            "--clear-groups",
            "--inh-caps=-all",
            "--bounding-set=-all",
            "--no-new-privs",
            sys.executable,
            "/tests/hostile/stock.py",
            "--inside",
            attack.name,
        ]
        begun = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS + 60, check=False)
            said = done.stderr.decode(errors="replace")[-2000:]
        except subprocess.TimeoutExpired:
            said = "killed from outside"
        report = Path(out, "report.json")
        record: dict[str, Any]
        if report.exists() and report.stat().st_size:
            record = json.loads(report.read_text())
        else:
            if "Traceback" in said:
                raise RuntimeError(f"{attack.name}: {said}")
            # there is no report, because the attack killed the sandbox's first process, and thereby
            # the whole sandbox; outside a sandbox it would have killed processes of the machine
            record = {
                "points": False,
                "outside": False,
                "hidden": False,
                "ended": True,
                "left": False,
                "late": False,
                "note": said,
            }
        record["seconds"] = round(time.monotonic() - begun, 1)
    return record


# functions that run inside the sandbox, to grade one submission


def inside(name: str) -> None:
    """Grade the attack `name` and a blank submission inside the sandbox, and write a report."""
    attack = next(attack for attack in read_bank() if attack.name == name)
    facts = json.loads(Path("/stock/facts.json").read_text())
    course = Path("/tmp/course")
    shutil.copytree("/stock/course", course)
    Path("/tmp/home").mkdir()
    Path("/tmp/home/notes.txt").write_text(CANARY)
    folder = course / "submitted" / "attacker" / NAME
    folder.mkdir(parents=True)
    words = {
        "HOSTILE_TOKEN": TOKEN,
        "HOSTILE_PORT": PORT,
        "HOSTILE_SOCKET": SOCKET,
        "HOSTILE_CHECKS": json.dumps(facts["checks"])[1:-1],
    }
    right = whole(json.loads(Path("/stock/right.json").read_text()))
    attack.fill(folder, right, words)
    met: list[str] = []
    listen(met)
    late = False
    with open("/tmp/log", "wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", COMMANDS],
            cwd=course,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=told,
            start_new_session=True,
            preexec_fn=limited,
        )
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        late = True
        os.killpg(process.pid, signal.SIGKILL)
    with open("/tmp/log", "rb") as file:
        file.seek(max(0, os.path.getsize("/tmp/log") - 1500))
        log = file.read().decode(errors="replace")
    time.sleep(0.2)
    remaining = processes()
    end_all()
    grades = points_of(course / "gradebook.db")
    record = judged(attack, facts, course, grades)
    record["outside"] |= bool(met) or Path(f"/tmp/{TOKEN}").exists()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    record["cpu"] = round(used.ru_utime + used.ru_stime, 1)
    record |= {"left": bool(remaining), "late": late, "note": log[-600:] if record["ended"] else ""}
    Path("/out/report.json").write_text(json.dumps(record))


def limited() -> None:
    """Set limits on memory, files and processes, which stock nbgrader does not set."""
    for kind, value in (
        (resource.RLIMIT_NPROC, 300),
        (resource.RLIMIT_AS, 3 << 30),
        (resource.RLIMIT_FSIZE, 600 << 20),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def listen(met: list[str]) -> None:
    """Start servers on loopback and on an abstract socket; list their connections in `met`."""

    def serve(server: socket.socket, name: str) -> None:
        while True:
            link, _ = server.accept()
            met.append(name)
            link.close()

    loopback = socket.create_server(("127.0.0.1", int(PORT)))
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind("\0" + SOCKET)
    abstract.listen()
    for server, name in ((loopback, "loopback"), (abstract, "abstract")):
        threading.Thread(target=serve, args=(server, name), daemon=True).start()


def processes() -> list[int]:
    """Return the ids of the running processes in this sandbox, without this one and its parents."""
    mine = {1, os.getpid(), os.getppid()}
    return [int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) not in mine and alive(p)]


def alive(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def end_all() -> None:
    for _ in range(50):
        left = processes()
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.02)


def points_of(database: Path) -> dict[str, dict[str, float]]:
    """Return the points in the gradebook: for each student, the points of each item.

    The students are "attacker" and "honest", whose submission is blank.
    """
    found: dict[str, dict[str, float]] = {}
    with contextlib.closing(sqlite3.connect(database)) as gradebook:
        for student, item, points in gradebook.execute(
            """
            select a.student_id, c.name,
                coalesce(g.manual_score, g.auto_score, 0) + coalesce(g.extra_credit, 0)
            from grade g join base_cell c on g.cell_id = c.id
            join submitted_notebook n on g.notebook_id = n.id
            join submitted_assignment a on n.assignment_id = a.id
            """
        ):
            found.setdefault(student, {})[item] = points
    return found


def judged(
    attack: Attack, facts: dict[str, Any], course: Path, grades: dict[str, dict[str, float]]
) -> dict[str, Any]:
    """Return which forbidden effects an attack had on stock nbgrader, and how many points it
    gained.
    """
    most = {item: points for item, points in facts["points"].items() if item != "additivity_proof"}
    got = grades.get("attacker", {})
    undeserved = {}
    for item, points in most.items():
        deserved = attack.points.get(item, attack.points.get("every", points))
        deserved = 0.0 if deserved == VISIBLE else min(deserved, points)
        if got.get(item, 0.0) > deserved + 1e-9:
            undeserved[item] = got[item] - deserved
    undeserved |= {item: got[item] for item in got if item not in facts["points"] and got[item]}
    honest = grades.get("honest", {})
    changed = any(honest.values())
    page = course / "feedback" / "attacker" / NAME / f"{NAME}.html"
    seen = page.read_text("utf-8", errors="replace") if page.is_file() else ""
    seen_words = re.sub(r"<[^>]+>", "", seen)
    notebook = course / "autograded" / "attacker" / NAME / NOTEBOOK
    outputs = printed(notebook)
    other = course / "feedback" / "honest" / NAME / f"{NAME}.html"
    return {
        "points": bool(undeserved) or changed,
        "gained": round(sum(undeserved.values()), 3),
        "outside": "READ OUTSIDE" in outputs or CANARY in seen or CANARY in outputs,
        "hidden": any(text in seen_words for text in facts["hidden"]),
        "ended": not honest or not other.is_file(),
        "bytes": len(seen),
    }


def printed(path: Path) -> str:
    """Return all text that a notebook's cells printed or displayed; "" if it cannot be read."""
    try:
        cells = json.loads(path.read_text("utf-8", errors="replace"))["cells"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    texts = []
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.get("output_type") == "stream":
                texts.append("".join(output["text"]))
            elif "data" in output:
                texts.append("".join(map(str, output["data"].get("text/plain", ""))))
    return "\n".join(texts)


def applies(attack: Attack, folder: Path) -> bool:
    """Return whether the assignment at `COMMIT` has the cells that an attack replaces."""
    try:
        if not attack.on_disk:
            attack.files(whole(json.loads((folder / "right.json").read_text())), {})
        return True
    except ValueError:
        return False


def main(names: list[str]) -> None:
    """Grade the named attacks, and add their results to ``stock.json``.

    Without names, grade all attacks that have no result in the file yet.
    """
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"submissions": {}}
    results["about"] = "what stock nbgrader made of the bank; written by tests/hostile/stock.py"
    results["nbgrader"] = "0.9.6"
    found = results["submissions"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.chmod(folder, 0o755)
        make_course(folder)
        shutil.copytree(TESTS / "hostile", folder / "hostile")
        (folder / "compiled").mkdir()
        subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
        os.chmod(folder / "compiled", 0o777)
        sandboxed(next(a for a in read_bank() if a.name == "check_deleted"), folder, first=True)
        attacks = [
            attack
            for attack in read_bank()
            if (attack.name in names if names else f"{attack.category}/{attack.name}" not in found)
            and applies(attack, folder)
        ]
        with ThreadPoolExecutor(WORKERS) as pool:
            for attack, record in zip(
                attacks, pool.map(lambda attack: sandboxed(attack, folder), attacks), strict=True
            ):
                note = record.pop("note", "")
                found[f"{attack.category}/{attack.name}"] = record
                facts = [
                    key
                    for key in ("points", "outside", "hidden", "ended", "left", "late")
                    if record[key]
                ]
                print(
                    f"{attack.category}/{attack.name}: {' '.join(facts) or 'nothing'}"
                    f" ({record['seconds']} s){' ' + note if names else ''}",
                    flush=True,
                )
                results["submissions"] = dict(sorted(found.items()))
                RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        main(sys.argv[1:])
