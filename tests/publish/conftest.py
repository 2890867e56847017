"""The small course with canaries, and what is published of it, made once."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from canaries import ROOT, Published, make_course

from dpteach.publish.bundle import write_bundle

#: whoever imports the module there lives on Windows from then on
collect_ignore = ["elsewhere"]


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def published(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Return the bundle of the small course; tests change only copies of it."""
    place = tmp_path_factory.mktemp("published")
    made = write_bundle(ROOT, course, place / "bundle.zip", say=lambda line: None)
    with zipfile.ZipFile(made) as packed:
        packed.extractall(place / "unpacked")
    (folder,) = (place / "unpacked").iterdir()
    return Published(made, folder)
