"""Tests that students' commands need no modules and functions that Windows lacks.

``elsewhere/sitecustomize.py`` hides these modules and functions from dpteach in a process and in
the kernels that the process starts. The tests cannot find problems with other differences of
Windows.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from canaries import ANSWERS, NAME, Published

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ELSEWHERE = Path(__file__).with_name("elsewhere")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in the imitation of Windows (in `elsewhere`), and return the ended process."""
    return subprocess.run(
        [sys.executable, "-W", "ignore::EncodingWarning", *words],
        cwd=cwd,
        env={
            **os.environ,
            "PYTHONPATH": str(ELSEWHERE),
            "PYTHONWARNDEFAULTENCODING": "1",
            "PYTHONIOENCODING": "cp1252",
        },
        capture_output=True,
        encoding="cp1252",
        timeout=120,
    )


@pytest.fixture
def work(published: Published, tmp_path: Path) -> Path:
    """Return a folder with an answered assignment; the folder's path has a space and an umlaut."""
    folder = tmp_path / "für mich" / NAME
    shutil.copytree(published.assignment, folder)
    answer(folder, **ANSWERS)
    return folder


def answer(folder: Path, **answers: str) -> None:
    """Write each answer into the notebook's cell of the same name."""
    notebook = folder / f"{NAME}.ipynb"
    data = json.loads(notebook.read_text("utf-8"))
    for cell in data["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    notebook.write_text(json.dumps(data), "utf-8")


def test_the_modules_and_names_are_hidden(tmp_path: Path) -> None:
    """In the imitation of Windows, code of dpteach lacks the modules and names that Windows lacks.

    Code of other modules, such as Python's own, still has these names.
    """
    program = """
import os, signal, tempfile
def ask(code, name):
    try:
        exec(code, {"__name__": name, "os": os, "signal": signal})
    except (ImportError, AttributeError):
        return "no"
    return "yes"
codes = ["import fcntl", "import resource", "import pwd", "os.O_NOFOLLOW", "os.fchmod",
    "os.getuid", "os.register_at_fork", "signal.SIGALRM", "signal.setitimer", "import json"]
print(*(ask(code, "dpteach.new") for code in codes))
print(*(ask(code, "another") for code in codes))
"""
    done = run("-c", program, cwd=tmp_path)
    assert done.stdout.splitlines() == [" ".join(["no"] * 9 + ["yes"]), " ".join(["yes"] * 10)]


IN_CELLS = """
from dpteach.grading import CheckFailed, check
from dpteach.grading.core import observe
observe.VALUE_SECONDS = 0.3
{cells}
"""


def checked(work: Path, *cells: str) -> subprocess.CompletedProcess[str]:
    """Run cells as a Python program; its checks stop a student's function after 0.3 seconds."""
    return run("-c", IN_CELLS.format(cells="\n".join(cells)), cwd=work)


def test_checks_tell_right_from_wrong(work: Path) -> None:
    """Two checks tell right answers from wrong ones; one of the two starts another process."""
    wrong = "double = lambda x: x * x\ntry:\n    check('double_values')"
    caught = "except CheckFailed as error:\n    print(error)"
    right = [ANSWERS["double"], ANSWERS["examine"]]
    checks = ["check('double_values')", "check('test_of_double')"]
    done = checked(work, wrong, caught, *right, *checks)
    assert done.stderr == ""
    first, second = map(done.stdout.index, ("\ndouble_values: ", "\ntest_of_double: "))
    assert "That is the square." in done.stdout[:first]
    assert "not right" not in done.stdout[first:] and first < second


LATE = (
    "double_values: your function did not return within 0.3 seconds, and this system cannot "
    "interrupt it, so the kernel was ended. Look for a loop that does not end, correct it, and "
    "run all cells again.\n"
)


@pytest.mark.parametrize("loop", ["time.sleep(60)", pytest.param("0", marks=pytest.mark.slow)])
def test_an_endless_loop_ends_the_process_and_says_so(loop: str, work: Path) -> None:
    code = f"import time\ndef double(x):\n    while True: {loop}"
    done = checked(work, code, "check('double_values')")
    assert (done.returncode, done.stderr, done.stdout) == (1, LATE, "")


ENDLESS = """
from dpteach.grading.kinds.implementations import Implementations
code = "import time\\ndef loop(x):\\n    while x: time.sleep(1)\\n    return x"
of = Implementations([("loop", code)])
print(of.call(0, [0], {}), of.call(0, [1], {}), of.call(0, [0], {}))
"""


@pytest.mark.slow
def test_an_endless_implementation_ends(tmp_path: Path) -> None:
    done = run("-c", ENDLESS, cwd=tmp_path)
    ended = "{'ended': 'too many or too large calls'}"
    assert done.stdout == f"{{'value': 0}} {ended} {{'value': 0}}\n", done.stderr


COMMANDS = """
from dpteach.cli import main
codes = [main(["hand-in", "small.ipynb"]), main(["hand-in", "--check", "hand_in/small.ipynb"])]
print(*codes, main(["mine", "small.ipynb"]))
"""


def test_hand_in_and_mine_do_their_work(work: Path) -> None:
    """``hand-in`` writes a file; ``mine`` refuses an assignment without personal versions."""
    done = run("-c", COMMANDS, cwd=work)
    assert done.stdout.splitlines()[-1] == "0 0 2"
    assert (work / "hand_in" / f"{NAME}.ipynb").is_file()
    assert done.stderr.startswith("dpteach mine: ") and "versions_token.txt" in done.stderr
    assert "Traceback" not in done.stderr


def test_fetching_is_no_part_of_a_bundle() -> None:
    """JupyterLab in a student's bundle does not load nbgrader's exchange, which needs Linux."""
    from dpteach.serve import student_extensions

    server = student_extensions(exchange=False)["jupyter_server_config.json"]["ServerApp"]
    assert server["jpserver_extensions"]["nbgrader.server_extensions.assignment_list"] is False


@pytest.mark.slow
def test_validate_runs_a_notebook(work: Path) -> None:
    """``validate`` works even if an error message has a character that the console cannot show."""
    answer(work, why="Because.", examine=f"{ANSWERS['examine']}\n\nraise ValueError('ε ≤ 0')")
    done = run("-m", "dpteach", "validate", f"{NAME}.ipynb", cwd=work)
    assert done.returncode == 0, done.stderr
    assert "raised ValueError: " in done.stdout
    assert "2 of 2 checks pass on the visible cases." in done.stdout


@pytest.mark.slow
def test_validate_tells_which_check_ended_the_kernel(work: Path) -> None:
    answer(work, examine="import time\ndef examine(f):\n    while True:\n        time.sleep(1)")
    done = run("-m", "dpteach", "validate", f"{NAME}.ipynb", cwd=work)
    assert done.returncode == 1
    assert "test_of_double: your function did not return within 10 seconds" in done.stdout
    assert "double_values: not checked, because the kernel ended" in done.stdout
