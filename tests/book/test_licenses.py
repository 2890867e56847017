"""Tests that LICENSES.md names every third-party font, script and style sheet of the project."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "_build" / "html" / "_static"
SLIDES = ROOT / "_build" / "slides" / "beside"
NOTICE = (ROOT / "LICENSES.md").read_text("utf-8")
#: the file names and patterns in the last column of the tables in LICENSES.md
NAMED = [
    name
    for row in re.findall(r"^\| .* \| ([^|]*) \|$", NOTICE, re.MULTILINE)
    for name in re.findall(r"`([^`]+)`", row)
]
#: the project's own files, which LICENSES.md need not name: patterns of files that the build makes,
#: and the names of all files in three folders
MADE = ["explorers/*", "notebooks/*", "search_index.js"]
OWN = {
    path.name
    for folder in ("book/_static", "dpteach/widgets", "dpteach/demos")
    for path in (ROOT / folder).rglob("*")
}


def unnamed(folder: Path) -> list[str]:
    """Return the third-party files in a folder that LICENSES.md does not name."""
    names = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    return [
        name
        for name in names
        if Path(name).name not in OWN
        and not any(
            fnmatch(name, known) or fnmatch(Path(name).name, known) for known in [*NAMED, *MADE]
        )
    ]


def test_each_package_of_npm_is_named() -> None:
    told = json.loads((ROOT / "book" / "package.json").read_text("utf-8"))
    for package in (*told["dependencies"], *told["devDependencies"]):
        assert f"npm: `{package}`)" in NOTICE, package


def test_each_font_of_the_style_sheets_is_named() -> None:
    sheet = (ROOT / "book" / "_static" / "fonts.css").read_text("utf-8")
    families = set(re.findall(r'font-family: "([^"]+)"', sheet))
    assert families and all(f"| {family}" in NOTICE for family in families)


def test_each_font_of_the_figures_is_named_with_its_license() -> None:
    fonts = ROOT / "dpteach" / "figures" / "fonts"
    assert unnamed_of_the_wheel(fonts) == []
    assert "SIL OPEN FONT LICENSE Version 1.1" in (fonts / "LICENSE.txt").read_text("utf-8")


def unnamed_of_the_wheel(folder: Path) -> list[str]:
    """Return all files in a folder of the package that LICENSES.md does not name."""
    names = [str(path.relative_to(ROOT)) for path in folder.iterdir()]
    return [name for name in names if not any(fnmatch(name, known) for known in NAMED)]


@pytest.mark.slow
@pytest.mark.parametrize("folder", [STATIC, SLIDES], ids=["site", "slides"])
def test_each_file_that_is_shipped_is_named(folder: Path) -> None:
    if not folder.is_dir():
        pytest.fail(f"{folder.name} is missing: run `make book slides`")
    assert unnamed(folder) == []


@pytest.mark.slow
def test_the_site_has_the_notice_and_its_licenses() -> None:
    page = (STATIC.parent / "book" / "licenses.html").read_text("utf-8")
    assert "Font Awesome Free" in page and "reserved font name" in page
    for family in ("source-code-pro", "stix-two-math", "stix-two-text"):
        text = (STATIC / "fonts" / f"{family}-LICENSE.txt").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
