"""Fixtures: a small course with marked secrets, and its student bundle, each made only once."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from canaries import ROOT, Published, make_course

from dpteach.publish.bundle import write_bundle

#: pytest must not import the module in the folder `elsewhere`, because that module hides functions
#: of Python from the process that imports it
collect_ignore = ["elsewhere"]


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the small course; a test that changes it must copy it first."""
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def published(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Return the student bundle of the small course; a test that changes it must copy it first."""
    place = tmp_path_factory.mktemp("published")
    made = write_bundle(ROOT, course, place / "bundle.zip", say=lambda line: None)
    with zipfile.ZipFile(made) as packed:
        packed.extractall(place / "unpacked")
    (folder,) = (place / "unpacked").iterdir()
    return Published(made, folder)
