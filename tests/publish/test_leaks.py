"""Tests that no published file contains a secret of the course, plain, packed or encoded."""

from __future__ import annotations

import base64
import json
import shutil
import zipfile
import zlib
from pathlib import Path

import pytest
from canaries import CANARIES, NAME, ROOT, Published, secret_lines
from exams import SOURCES, built
from unpacking import found, packings, spellings

from dpteach.publish.bundle import write_bundle

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def told(place: Path) -> set[str]:
    """Return the kinds of secrets (keys of `CANARIES`) that a file or folder contains."""
    return {line.partition(": ")[2] for line in found(place, CANARIES)}


def test_each_secret_source_has_its_canary(course: Path) -> None:
    text = [course / "assignments" / f"{NAME}.md", course / "mutants"]
    assert {name for place in text for name in told(place)} == set(CANARIES)


def test_the_bundle_has_no_secret(published: Published) -> None:
    assert found(published.zip, CANARIES) == []
    assert found(published.folder, CANARIES) == []


# ---------------------------------------------------------------- the search for secrets

WAYS = packings(b"canary_answer_5b1f")


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_found_in_each_encoding(way: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(WAYS[way])
    assert told(tmp_path) == {"answer cell"}


@pytest.mark.parametrize("secret", CANARIES)
def test_each_canary_is_found_in_a_squeezed_field(
    secret: str, published: Published, tmp_path: Path
) -> None:
    for form in spellings(CANARIES[secret]):
        checks = json.loads((published.assignment / "checks.json").read_text("utf-8"))
        field = base64.b64encode(zlib.compress(b'{"values": ' + form + b"}")).decode()
        checks["checks"]["double_values"]["cases"][0]["more"] = [{"deep": [field]}]
        (tmp_path / "checks.json").write_text(json.dumps(checks), "utf-8")
        assert told(tmp_path) == {secret}


TEXTS = [way for way, data in WAYS.items() if data.isascii()]
BINARIES = sorted({*WAYS} - {*TEXTS})


def with_text(name: str, data: bytes, text: str) -> bytes:
    """Insert a text into a file's data, so that the format stays valid; return the new data.

    Parameters
    ----------
    name
        The name of the file, whose ending tells the format.
    data
        The data of the file.
    text
        The text to insert.
    """
    if name.endswith(".ipynb"):
        notebook = json.loads(data)
        cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
        cell["outputs"] = [{"output_type": "display_data", "data": {"text/plain": [text]}}]
        return json.dumps(notebook).encode()
    if name.endswith(".json"):
        return json.dumps({**json.loads(data), "more": [{"deep": text}]}).encode()
    return data + f"\n# {text}\n".encode()


def files_of(archive: Path) -> dict[str, bytes]:
    """Return the bytes of each file in a zip archive by the file's name."""
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def pack(files: dict[str, bytes], target: Path) -> Path:
    """Write a zip archive with the given files, and return the archive's path."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return target


def test_a_text_is_found_in_each_file_of_the_bundle(published: Published, tmp_path: Path) -> None:
    files = files_of(published.zip)
    assert {Path(name).suffix for name in files} == {
        *(".csv", ".ipynb", ".json", ".py", ".txt", ".whl")
    }
    for name, data in files.items():
        if name.endswith(".whl"):
            continue
        for way in TEXTS:
            planted = pack({name: with_text(name, data, WAYS[way].decode())}, tmp_path / "one.zip")
            assert found(planted, CANARIES), (name, way)


@pytest.mark.parametrize("suffix", [".py", ".js", ".html"])
def test_a_text_is_found_in_a_file_of_the_wheel(
    suffix: str, published: Published, tmp_path: Path
) -> None:
    (wheel,) = published.folder.glob("course/*.whl")
    files = files_of(wheel)
    name = next(name for name in files if name.endswith(suffix))
    for way in TEXTS:
        inner = pack({name: with_text(name, files[name], WAYS[way].decode())}, tmp_path / "inner")
        planted = pack({wheel.name: inner.read_bytes()}, tmp_path / "one.zip")
        inner.unlink()
        assert found(planted, CANARIES), way


@pytest.mark.parametrize("way", BINARIES)
def test_a_packed_file_is_found_in_the_bundle(
    way: str, published: Published, tmp_path: Path
) -> None:
    files = files_of(published.zip)
    (wheel,) = (name for name in files if name.endswith(".whl"))
    small = {name: data for name, data in files.items() if name != wheel}
    assert found(pack({**small, "course/data.bin": WAYS[way]}, tmp_path / "1"), CANARIES)
    inner = pack({"dpteach/data.bin": WAYS[way]}, tmp_path / "wheel").read_bytes()
    (tmp_path / "wheel").unlink()
    assert found(pack({wheel: inner}, tmp_path / "1"), CANARIES)


def test_an_answer_file_in_a_release_is_found(course: Path, tmp_path: Path) -> None:
    """The search for secrets finds the answers if a release contains the instructor's notebook."""
    shutil.copytree(course / "source", tmp_path / "release")
    assert told(tmp_path) == {"answer cell", "model answer", "marking scheme"}


# ---------------------------------------------------------------- an assignment of the course


@pytest.mark.slow
def test_the_bundle_of_an_assignment_has_no_secret(tmp_path: Path) -> None:
    (path,) = (path for path in SOURCES if path.stem == "removing_names")
    course = tmp_path / "course"
    shutil.copytree(built(path).root, course)
    for other in {*(course / "assignments").glob("*.md")} - {course / "assignments" / path.name}:
        other.unlink()
    # the data of visible checks are public; they include, for example, a wrong implementation that
    # students must find
    visible = json.dumps([item.visible for item in built(path).exam.items])
    secrets = {line: line for line in sorted(secret_lines(path, visible), key=len)[-120:]}
    assert len(secrets) > 100
    made = write_bundle(ROOT, course, tmp_path / "b.zip", say=print)
    assert found(made, secrets) == []
    assert found(course / "source" / path.stem, secrets)
