"""What the commands say about arguments, files and courses that are not what they should be."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dpteach import cli
from dpteach.grading import export

# --- where to write


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    export.write(pipe, "student\r\nZoë\r\n")
    reader.join(10)
    assert found == ["student\r\nZoë\r\n".encode()]
    assert pipe.is_fifo()


def test_a_link_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "term"
    folder.mkdir()
    for name in ("there", "not yet"):
        link, target = tmp_path / f"link to {name}", folder / name
        link.symlink_to(target)
        if name == "there":
            target.write_text("before")
        export.write(link, "now")
        assert link.is_symlink() and target.read_text() == "now"
    assert sorted(path.name for path in folder.iterdir()) == ["not yet", "there"]


def test_what_standard_output_holds_already_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    program = "import sys; from pathlib import Path; from dpteach.grading import export\n"
    program += "export.write(Path(sys.argv[1]), 'now\\n')"
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", program, str(log)], stdout=stream, check=True)
    assert log.read_text() == "before\nnow\n"


@pytest.mark.parametrize("value", ["", "folder", "folder/", "new/"])
def test_export_to_what_is_no_file(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit, match="2"):
        cli.main(["export", "01_small", "--to", value])
    assert f"--to: must be a file, not a folder, got {value!r}" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


@pytest.mark.parametrize("value", ["", "file", "nowhere"])
def test_report_to_what_is_no_folder(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "nowhere").symlink_to("none")
    with pytest.raises(SystemExit, match="2"):
        cli.main(["report", "01_small", "--to", value])
    assert f"--to: must be a folder, which may be a new one, got {value!r}" in (
        capsys.readouterr().err
    )
    assert (tmp_path / "file").read_text() == "mine"
