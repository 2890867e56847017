"""Tests that temporary folders are removed, even if the process that made them was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpteach.grading.core.scratch import scratch

PROGRAM = """
import sys
from dpteach.grading.core.scratch import scratch
with scratch(sys.argv[1]) as folder:
    open(folder + "/file", "w").close()
    print("made", flush=True)
    sys.stdin.read()
"""


def test_a_folder_goes_and_those_of_the_living_stay(tmp_path: Path) -> None:
    run = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline() == b"made\n"
        (its,) = tmp_path.iterdir()
        with scratch(str(tmp_path)) as folder:
            assert {its, Path(folder)} == set(tmp_path.iterdir())
        assert [its] == list(tmp_path.iterdir())
        os.kill(other.pid, signal.SIGKILL)
    assert its.exists()
    with scratch(str(tmp_path)) as folder:
        assert [Path(folder)] == list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "lock").touch()
    (tmp_path / "dpteach-link").symlink_to("kept")
    (tmp_path / "dpteach-file").touch()
    (tmp_path / "dpteach-by-hand").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with scratch(str(tmp_path)):
        pass
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="gives a folder to somebody else")
def test_folders_of_others_stay(tmp_path: Path) -> None:
    for name, user in (("dpteach-mine", 0), ("dpteach-theirs", 12345)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lock").touch()
        os.chown(tmp_path / name, user, user)
    with scratch(str(tmp_path)) as folder:
        assert Path(folder).name.startswith("dpteach-") and (Path(folder) / "lock").exists()
        assert {p.name for p in tmp_path.iterdir()} == {"dpteach-theirs", Path(folder).name}


def test_errors_remove_it(tmp_path: Path) -> None:
    with pytest.raises(LookupError), scratch(str(tmp_path)):
        raise LookupError
    assert not list(tmp_path.iterdir())
