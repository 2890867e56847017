"""Tests of the list of packages that students install: versions, hashes and wheels."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from canaries import ROOT

from dpteach.publish.bundle import student_requirements
from dpteach.publish.problem import PublishError

VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
PLATFORMS = [
    "x86_64-pc-windows-msvc",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
]

#: the pairs of a platform and a version of Python for which `make test` checks that the students'
#: packages have wheels; each platform and each version is in at least one pair
SOME = {*zip(PLATFORMS, [*VERSIONS, "3.12"], strict=True)}


def resolved(platform: str, version: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Let uv find the students' packages as wheels for a platform and a Python; install none."""
    requirements = folder / "requirements.txt"
    requirements.write_text(student_requirements(ROOT), "utf-8")
    words = ["--only-binary", ":all:", "--require-hashes", "--target", folder / "target"]
    words += ["--python-version", version, "--python-platform", platform, "-r", requirements]
    return subprocess.run(
        [Path(sys.executable).with_name("uv"), "pip", "install", "--dry-run", "--quiet", *words],
        env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": "13.0"},
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("platform", "version"),
    [
        pytest.param(one, v, marks=() if (one, v) in SOME else pytest.mark.exhaustive)
        for one in PLATFORMS
        for v in VERSIONS
    ],
)
def test_each_package_has_a_wheel(platform: str, version: str, tmp_path: Path) -> None:
    done = resolved(platform, version, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("platform", "version"), [("x86_64-manylinux_2_17", "3.12"), ("x86_64-manylinux_2_28", "3.10")]
)
def test_an_unsupported_platform_is_found(platform: str, version: str, tmp_path: Path) -> None:
    assert "No solution found" in resolved(platform, version, tmp_path).stderr


def names(requirements: str) -> set[str]:
    """Return the names of the packages in a list of requirements."""
    return set(re.findall(r"^[a-z0-9-]+(?===)", requirements, re.MULTILINE))


def test_students_install_what_the_lock_has() -> None:
    lock, students = (ROOT / "requirements.txt").read_text("utf-8"), student_requirements(ROOT)
    assert {"numpy", "scipy", "nbgrader", "ipykernel", "jupyterlab", "pyzmq"} <= names(students)
    assert not names(students) & {"matplotlib", "scikit-learn", "sphinx", "pytest", "mypy", "uv"}
    for entry in re.split(r"^(?=[a-z0-9])", students, flags=re.MULTILINE):
        assert entry in lock
    # the lock has two entries for soupsieve, for different versions of Python; students get both
    assert students.count("\nsoupsieve==") == lock.count("\nsoupsieve==") == 2


def test_no_line_needs_another_index_or_a_source() -> None:
    lines = [line for line in student_requirements(ROOT).splitlines() if "# " not in line]
    pattern = r"[a-z0-9-]+==[\w.]+( ; [^;]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #"
    assert [line for line in lines if not re.fullmatch(pattern, line)] == []


def test_a_lock_without_a_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    lock = (ROOT / "requirements.txt").read_text("utf-8")
    (tmp_path / "requirements.txt").write_text(lock.replace("\nnbgrader==", "\nother=="), "utf-8")
    with pytest.raises(PublishError, match=r"no entry for nbgrader: run `m"):
        student_requirements(tmp_path)
