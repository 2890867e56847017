"""Attacks by malformed submission files, rather than by the code in them.

Each attack is a function. It takes the notebook of the instructor's own solution, as a dict parsed
from JSON, and returns the submitted files by name. Functions marked `on_disk` also get an
empty folder and write the files there, because they need links, pipes or names that only a file
system has. A function's docstring says what the attack does. The function's decorator says which
points the attack deserves; items that are not named there must keep their points.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import os
import socket
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]
Files = dict[str, bytes]

NAME = "renyi_dp.ipynb"

#: the upper limit for an item whose points an attack may keep or lose: more than any item has
ANY = 1000.0

#: upper limits on the points of every item that is graded automatically: an attack with `NOTHING`
#: must earn no points, and an attack with `ALL_OR_LESS` may keep or lose any of them
NOTHING = {"every": 0.0}
ALL_OR_LESS = {"every": ANY}


@dataclass(frozen=True)
class Structure:
    """An attack by malformed files, which the function `make` builds."""

    name: str
    about: str
    points: Mapping[str, float]
    make: Callable[..., Any]
    on_disk: bool


STRUCTURES: list[Structure] = []


def deserves(
    points: Mapping[str, float] | None = None, *, on_disk: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds an attack to `STRUCTURES`, with the points that it deserves."""

    def add(make: Callable[..., Any]) -> Callable[..., Any]:
        about = (make.__doc__ or "").strip()
        STRUCTURES.append(Structure(make.__name__, about, points or {}, make, on_disk))
        return make

    return add


# tools for building notebooks


def dump(notebook: object) -> bytes:
    return json.dumps(notebook, indent=1).encode()


def files(notebook: object) -> Files:
    return {NAME: dump(notebook)}


def grade_id(cell: Mapping[str, Any]) -> str:
    return str(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", ""))


def named(notebook: Notebook, name: str) -> dict[str, Any]:
    return next(cell for cell in notebook["cells"] if grade_id(cell) == name)


def settings(cell: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = cell["metadata"]["nbgrader"]
    return found


def is_check(cell: dict[str, Any]) -> bool:
    meta = cell.get("metadata", {}).get("nbgrader", {})
    return bool(meta.get("grade") and not meta.get("solution"))


def is_solution(cell: dict[str, Any]) -> bool:
    meta = cell.get("metadata", {}).get("nbgrader", {})
    return bool(meta.get("solution")) and cell["cell_type"] == "code"


def wrong(notebook: Notebook) -> Notebook:
    """Change a notebook in place so that every solution function returns 1.0, a wrong answer."""
    for cell in notebook["cells"]:
        if is_solution(cell):
            name = cell["source"].split("def ")[1].split("(")[0]
            cell["source"] = f"def {name}(*args, **kwargs):\n    return 1.0"
    return notebook


def code(source: str, **nbgrader: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "source": source,
        "metadata": {"nbgrader": nbgrader} if nbgrader else {},
        "outputs": [],
        "execution_count": None,
        "id": f"added{zlib.crc32(source.encode('utf-8', 'surrogatepass')):x}",
    }


# attacks on cells


@deserves()
def check_deleted(notebook: Notebook) -> Files:
    """Delete one check cell; the grader must restore it."""
    notebook["cells"].remove(named(notebook, "touching"))
    return files(notebook)


@deserves()
def checks_all_deleted(notebook: Notebook) -> Files:
    """Delete all check cells; the grader must restore them in their places."""
    notebook["cells"] = [cell for cell in notebook["cells"] if not is_check(cell)]
    return files(notebook)


@deserves({"touching": 0.0})
def solution_deleted(notebook: Notebook) -> Files:
    """Delete a solution cell; its item earns no points, and all other items must keep theirs."""
    notebook["cells"].remove(named(notebook, "touching_point"))
    return files(notebook)


@deserves(NOTHING)
def all_cells_deleted(notebook: Notebook) -> Files:
    """Submit a notebook without cells."""
    notebook["cells"] = []
    return files(notebook)


@deserves()
def check_duplicated(notebook: Notebook) -> Files:
    """Append a copy of a check cell, so that its name, and perhaps its points, appear twice."""
    cell = named(notebook, "touching")
    notebook["cells"].append(copy.deepcopy(cell))
    return files(notebook)


@deserves({"touching": ANY})
def solution_duplicated(notebook: Notebook) -> Files:
    """Append a wrong solution cell with the name of a right one, so that the grader must choose."""
    again = copy.deepcopy(named(notebook, "touching_point"))
    again["source"] = "def touching_point(sigma, order, delta):\n    return 1.0"
    notebook["cells"].append(again)
    return files(notebook)


@deserves()
def every_cell_duplicated(notebook: Notebook) -> Files:
    """Submit every cell three times, with its id, so that no name and no id is unique."""
    notebook["cells"] = [copy.deepcopy(c) for c in notebook["cells"] for _ in range(3)]
    return files(notebook)


@deserves()
def check_retyped(notebook: Notebook) -> Files:
    """Turn one check cell into a Markdown cell and one into a raw cell: neither is executed."""
    for name, kind in (("touching", "markdown"), ("catastrophe", "raw")):
        cell = named(notebook, name)
        cell["cell_type"] = kind
        del cell["outputs"], cell["execution_count"]
    return files(notebook)


@deserves({"touching": ANY})
def solution_retyped(notebook: Notebook) -> Files:
    """Turn a solution cell into a Markdown cell, so that its function is not defined."""
    cell = named(notebook, "touching_point")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
    return files(notebook)


@deserves()
def manual_retyped(notebook: Notebook) -> Files:
    """Turn the proof, which a person grades, into a code cell that raises an error."""
    cell = named(notebook, "additivity_proof")
    cell |= {"cell_type": "code", "source": "1 / 0", "outputs": [], "execution_count": None}
    return files(notebook)


@deserves(ALL_OR_LESS)
def checks_moved_up(notebook: Notebook) -> Files:
    """Move all check cells to the top, before the functions that they test."""
    notebook["cells"].sort(key=lambda cell: not is_check(cell))
    return files(notebook)


@deserves(ALL_OR_LESS)
def cells_reversed(notebook: Notebook) -> Files:
    """Reverse the order of all cells."""
    notebook["cells"].reverse()
    return files(notebook)


@deserves(NOTHING)
def checks_emptied(notebook: Notebook) -> Files:
    """Submit wrong functions, and replace each check by `pass`, which cannot fail."""
    for cell in wrong(notebook)["cells"]:
        if is_check(cell):
            cell["source"] = "pass"
    return files(notebook)


@deserves(NOTHING)
def checks_edited(notebook: Notebook) -> Files:
    """Submit wrong functions, and edit each check so that it replaces the function `check` and
    shows the number 99.0, which stock nbgrader counts as its points.
    """
    for cell in wrong(notebook)["cells"]:
        if is_check(cell):
            cell["source"] = "import dpteach.grading as g\ng.check = lambda name: 99.0\n99.0"
    return files(notebook)


@deserves(NOTHING)
def points_raised(notebook: Notebook) -> Files:
    """Submit wrong functions, and change the metadata of each check: 1000 points, not locked."""
    for cell in wrong(notebook)["cells"]:
        if is_check(cell):
            settings(cell).update(points=1000, locked=False, solution=True)
    return files(notebook)


@deserves(ALL_OR_LESS)
def points_raised_and_right(notebook: Notebook) -> Files:
    """Submit correct functions, and change the metadata of each check to 1000 points."""
    for cell in notebook["cells"]:
        if is_check(cell):
            settings(cell)["points"] = 1000
    return files(notebook)


@deserves(NOTHING)
def names_exchanged(notebook: Notebook) -> Files:
    """Submit wrong functions, and give every check cell the name of the next check cell."""
    cells = [cell for cell in wrong(notebook)["cells"] if is_check(cell)]
    names = [grade_id(cell) for cell in cells]
    for cell, name in zip(cells, names[1:] + names[:1], strict=True):
        settings(cell)["grade_id"] = name
    return files(notebook)


@deserves(NOTHING)
def names_of_others(notebook: Notebook) -> Files:
    """Submit wrong functions, and exchange the names of solution and check cells."""
    cells = wrong(notebook)["cells"]
    checks = [cell for cell in cells if is_check(cell)]
    solutions = [cell for cell in cells if is_solution(cell)]
    for check, solution in zip(checks, solutions, strict=False):
        a, b = settings(check), settings(solution)
        a["grade_id"], b["grade_id"] = b["grade_id"], a["grade_id"]
    return files(notebook)


@deserves(ALL_OR_LESS)
def metadata_stripped(notebook: Notebook) -> Files:
    """Delete the metadata of all cells and of the notebook."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    notebook["metadata"] = {}
    return files(notebook)


@deserves(ALL_OR_LESS)
def metadata_and_ids_stripped(notebook: Notebook) -> Files:
    """Delete the metadata and ids of all cells."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    notebook["nbformat_minor"] = 4
    return files(notebook)


@deserves(NOTHING)
def metadata_of_other_types(notebook: Notebook) -> Files:
    """Submit wrong functions, and put values of wrong types into the metadata of nbgrader."""
    odd: list[Any] = [None, [], 7, "x", {"a": 1}, True, -1, 1e999, [[]], "", {"grade_id": []}]
    for i, cell in enumerate(wrong(notebook)["cells"]):
        if "nbgrader" in cell["metadata"]:
            if i % 3 == 0:
                cell["metadata"]["nbgrader"] = odd[i % len(odd)]
            else:
                for j, key in enumerate(("grade_id", "points", "schema_version", "grade", "task")):
                    if (i + j) % 3 == 0:
                        settings(cell)[key] = odd[(i + j) % len(odd)]
    return files(notebook)


@deserves(NOTHING)
def graded_cells_added(notebook: Notebook) -> Files:
    """Submit wrong functions with added graded cells of several kinds, worth 50 points each."""
    wrong(notebook)["cells"] += [
        code(
            "50.0",
            grade_id="bonus",
            points=50,
            grade=True,
            locked=True,
            solution=False,
            schema_version=3,
            task=False,
        ),
        code(
            "50.0",
            grade_id="bonus_2",
            points=50,
            grade=True,
            locked=False,
            solution=True,
            schema_version=3,
            task=False,
        ),
        {
            "cell_type": "markdown",
            "source": "an essay",
            "id": "task1",
            "metadata": {
                "nbgrader": {
                    "grade_id": "task",
                    "points": 50,
                    "grade": False,
                    "locked": True,
                    "solution": False,
                    "schema_version": 3,
                    "task": True,
                }
            },
        },
    ]
    return files(notebook)


@deserves()
def given_cell_edited(notebook: Notebook) -> Files:
    """Edit the locked cell of imports so that it deletes files."""
    cell = named(notebook, "imports")
    cell["source"] = "import shutil\nshutil.rmtree('.', ignore_errors=True)\n" + cell["source"]
    return files(notebook)


@deserves(NOTHING)
def outputs_forged(notebook: Notebook) -> Files:
    """Submit wrong functions, and store outputs in which each check shows 99 points or praise."""
    for cell in wrong(notebook)["cells"]:
        if is_check(cell):
            cell["outputs"] = [
                {
                    "output_type": "execute_result",
                    "execution_count": 1,
                    "metadata": {},
                    "data": {"text/plain": "99.0", "text/html": "<script>HOSTILE_SCRIPT</script>"},
                },
                {"output_type": "stream", "name": "stdout", "text": "right on 9 of 9 cases"},
            ]
    return files(notebook)


@deserves()
def outputs_stored(notebook: Notebook) -> Files:
    """Submit correct functions with 12 MB of stored outputs, made of scripts."""
    for cell in [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:4]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/html": "<script>HOSTILE_SCRIPT</script>" * 100_000},
                }
            ]
    return files(notebook)


@deserves(ALL_OR_LESS)
def outputs_too_large(notebook: Notebook) -> Files:
    """Submit correct functions with 60 MB of stored outputs, which make the file very large."""
    cell = named(notebook, "imports")
    text = "x" * 60_000_000
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
    return files(notebook)


# files that are not valid notebooks


@deserves(NOTHING)
def empty(notebook: Notebook) -> Files:
    """Submit an empty file."""
    return {NAME: b""}


@deserves(NOTHING)
def white_space(notebook: Notebook) -> Files:
    """Submit a file of white space only."""
    return {NAME: b" \n\r\n\t" * 1000}


@deserves(NOTHING)
def truncated(notebook: Notebook) -> Files:
    """Submit only the first half of the notebook, as if the disk had been full."""
    data = dump(notebook)
    return {NAME: data[: len(data) // 2]}


@deserves(NOTHING)
def binary(notebook: Notebook) -> Files:
    """Submit binary data that is not text."""
    return {NAME: bytes(range(256)) * 100}


@deserves(NOTHING)
def picture(notebook: Notebook) -> Files:
    """Submit a picture under the notebook's name."""
    return {NAME: b"\x89PNG\r\n\x1a\n" + b"\x00" * 1000}


@deserves(ALL_OR_LESS)
def utf_16(notebook: Notebook) -> Files:
    """Encode the notebook in UTF-16 with a byte order mark."""
    return {NAME: json.dumps(notebook, ensure_ascii=False).encode("utf-16")}


@deserves(ALL_OR_LESS)
def utf_8_with_mark(notebook: Notebook) -> Files:
    """Encode the notebook in UTF-8 with a byte order mark and Windows line ends."""
    return {NAME: b"\xef\xbb\xbf" + dump(notebook).replace(b"\n", b"\r\n")}


@deserves(ALL_OR_LESS)
def latin_1(notebook: Notebook) -> Files:
    """Encode the notebook in Latin-1, so that the é of Rényi is invalid UTF-8."""
    text = json.dumps(notebook, ensure_ascii=False)
    return {NAME: text.encode("latin-1", errors="replace")}


@deserves(NOTHING)
def not_an_object(notebook: Notebook) -> Files:
    """Submit a JSON list of notebooks instead of an object."""
    return files([notebook, notebook])


@deserves(NOTHING)
def other_json(notebook: Notebook) -> Files:
    """Submit an object in JSON whose entry `cells` is an object instead of a list."""
    return files({"cells": {"a": 1}, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


@deserves(NOTHING)
def nested_json(notebook: Notebook) -> Files:
    """Submit JSON that is nested 100,000 levels deep."""
    return {NAME: b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"}


@deserves(ALL_OR_LESS)
def nested_metadata(notebook: Notebook) -> Files:
    """Submit a correct notebook with metadata nested 900 levels deep."""
    deep: Any = {}
    for _ in range(900):
        deep = {"a": deep}
    notebook["metadata"]["deep"] = deep
    notebook["cells"][0]["metadata"]["deep"] = deep
    return files(notebook)


@deserves(ALL_OR_LESS)
def not_a_number(notebook: Notebook) -> Files:
    """Put NaN and Infinity, which standard JSON does not have, into the metadata."""
    for cell in notebook["cells"]:
        if is_check(cell):
            settings(cell)["points"] = float("nan")
    notebook["metadata"]["x"] = [float("inf"), float("-inf")]
    return files(notebook)


@deserves(ALL_OR_LESS)
def long_integers(notebook: Notebook) -> Files:
    """Put an integer with 100,000 digits into the metadata."""
    text = dump(notebook).decode()
    return {NAME: text.replace('"nbformat":', f'"x": {"9" * 100_000}, "nbformat":', 1).encode()}


@deserves(ALL_OR_LESS)
def keys_twice(notebook: Notebook) -> Files:
    """Write the keys `source` and `cells` twice in the JSON, the first time with other values."""
    text = dump(notebook).decode().replace('"source":', '"source": "1/0", "source":')
    return {NAME: text.replace('"cells":', '"cells": [], "cells":', 1).encode()}


@deserves(ALL_OR_LESS)
def lone_surrogates(notebook: Notebook) -> Files:
    """Put lone surrogates, which UTF-8 cannot encode, into cells and metadata."""
    notebook["cells"].insert(0, code("x = 1  # \ud800 \udfff \x00"))
    notebook["cells"].insert(
        0, {"cell_type": "markdown", "source": "\udc80\x00", "metadata": {}, "id": "half"}
    )
    notebook["metadata"]["\ud800"] = "\udfff"
    return files(notebook)


@deserves(NOTHING)
def cells_of_other_types(notebook: Notebook) -> Files:
    """Replace cells by numbers, null, strings and lists, and sources by dicts."""
    odd: list[Any] = [None, 7, "x", [], {}, {"cell_type": 5}, {"cell_type": "code"}]
    for i, cell in enumerate(wrong(notebook)["cells"]):
        cell["source"] = [cell["source"], [[cell["source"]]], {"a": 1}, None, 7, [7, None]][i % 6]
    notebook["cells"] = odd + notebook["cells"] + odd
    return files(notebook)


@deserves(ALL_OR_LESS)
def unknown_cells(notebook: Notebook) -> Files:
    """Add cells of nonexistent types, and cells without a source, to a correct notebook."""
    notebook["cells"].insert(1, {"cell_type": "heading", "level": 1, "source": "x", "metadata": {}})
    notebook["cells"].insert(1, {"cell_type": "../../x", "source": "x", "metadata": {}})
    notebook["cells"].insert(1, {"cell_type": "code", "metadata": {}, "outputs": [5, {}, None]})
    return files(notebook)


@deserves(ALL_OR_LESS)
def odd_ids(notebook: Notebook) -> Files:
    """Use cell ids that are repeated, empty, paths, markup, numbers or a megabyte long."""
    odd: list[Any] = [
        "x",
        "x",
        "",
        "../../../x",
        "<script>HOSTILE_SCRIPT</script>",
        7,
        None,
        "y" * 10**6,
    ]
    for i, cell in enumerate(notebook["cells"]):
        cell["id"] = odd[i % len(odd)]
    return files(notebook)


@deserves(ALL_OR_LESS)
def sources_as_lists(notebook: Notebook) -> Files:
    """Store each source as a list of strings of one character each."""
    for cell in notebook["cells"]:
        cell["source"] = list(cell["source"])
    return files(notebook)


@deserves(ALL_OR_LESS)
def many_cells(notebook: Notebook) -> Files:
    """Add three thousand cells that are empty or short."""
    notebook["cells"] += [code(f"x{i} = {i}") for i in range(3000)]
    return files(notebook)


@deserves(ALL_OR_LESS)
def large_cell(notebook: Notebook) -> Files:
    """Add a Markdown cell and a code comment of 20 MB each."""
    notebook["cells"].append(code("# " + "x" * 20_000_000))
    notebook["cells"].append(
        {"cell_type": "markdown", "source": "x " * 10_000_000, "metadata": {}, "id": "large"}
    )
    return files(notebook)


@deserves({"touching": ANY})
def long_solution(notebook: Notebook) -> Files:
    """Put several megabytes of strings, brackets and comments before a correct solution."""
    cell = named(notebook, "touching_point")
    noise = "'" + "x" * 1_000_000 + "'\n# " + "(" * 1_000_000 + "\n" + "# a b c\n" * 250_000
    cell["source"] = noise + cell["source"]
    return files(notebook)


@deserves(ALL_OR_LESS)
def slow_patterns(notebook: Notebook) -> Files:
    """Add long repetitive texts, on which careless regular expressions take extremely long."""
    texts = (
        "![" * 200_000,
        "\x1b[" * 200_000,
        "\x1b]" * 200_000,
        "`" * 400_000,
        "[](" * 200_000,
        "<" * 400_000,
    )
    for i, text in enumerate(texts):
        cell = {"cell_type": "markdown", "source": text, "metadata": {}, "id": f"slow{i}"}
        notebook["cells"].insert(3 * i, cell)
    proof = named(notebook, "additivity_proof")
    proof["source"] = "$" * 100_000 + "\\begin{a}" * 20_000 + " " * 200_000 + "x"
    notebook["cells"].append(
        code("#" + " " * 400_000 + "\ntouching_point" + " " * 400_000 + "\nasync" + " " * 9)
    )
    return files(notebook)


@deserves(ALL_OR_LESS)
def nbformat_3(notebook: Notebook) -> Files:
    """Submit a notebook in format 3, which has worksheets."""
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cells.append(
                {
                    "cell_type": "code",
                    "input": cell["source"],
                    "language": "python",
                    "outputs": [],
                    "collapsed": False,
                    "metadata": cell["metadata"],
                }
            )
        else:
            cells.append(
                {
                    "cell_type": cell["cell_type"],
                    "source": cell["source"],
                    "metadata": cell["metadata"],
                }
            )
    return files(
        {
            "nbformat": 3,
            "nbformat_minor": 0,
            "metadata": {"name": ""},
            "worksheets": [{"cells": cells, "metadata": {}}],
        }
    )


@deserves()
def nbformat_4_0(notebook: Notebook) -> Files:
    """Submit a notebook in format 4.0, whose cells have no ids."""
    for cell in notebook["cells"]:
        cell.pop("id", None)
    notebook["nbformat_minor"] = 0
    return files(notebook)


@deserves(ALL_OR_LESS)
def nbformat_4_99(notebook: Notebook) -> Files:
    """Submit a notebook in format 4.99, as from a future Jupyter."""
    notebook["nbformat_minor"] = 99
    return files(notebook)


@deserves(ALL_OR_LESS)
def nbformat_5(notebook: Notebook) -> Files:
    """Submit a notebook in format 5, which does not exist."""
    notebook["nbformat"] = 5
    return files(notebook)


@deserves(ALL_OR_LESS)
def nbformat_missing(notebook: Notebook) -> Files:
    """Delete the format's major number, and replace the minor one by a word."""
    del notebook["nbformat"]
    notebook["nbformat_minor"] = "five"
    return files(notebook)


@deserves(ALL_OR_LESS)
def other_kernel(notebook: Notebook) -> Files:
    """Request a Bash kernel by a path, and submit a kernel.json whose command creates a file."""
    notebook["metadata"] = {
        "kernelspec": {"name": "../../submitted/x", "display_name": "Bash", "language": "bash"},
        "language_info": {"name": "bash", "pygments_lexer": "../x", "file_extension": ".sh"},
    }
    return files(notebook) | {"kernel.json": b'{"argv": ["touch", "/tmp/HOSTILE_TOKEN"]}'}


@deserves()
def metadata_with_markup(notebook: Notebook) -> Files:
    """Put scripts and template commands into metadata that a page about the notebook may show."""
    script = "</title></script><script>HOSTILE_SCRIPT=1</script>{{ 7 * 191 }}"
    notebook["metadata"] |= {
        "title": script,
        "authors": [{"name": script}],
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {script: {}}}},
    }
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = [script]
        cell["metadata"]["collapsed"] = script
        if cell["cell_type"] == "markdown":
            cell["attachments"] = {script: {"image/svg+xml": script}}
    return files(notebook)


# attacks by sets of files


@deserves(ALL_OR_LESS)
def wrong_name(notebook: Notebook) -> Files:
    """Submit the notebook under a different name."""
    return {"my solution (final) 2.ipynb": dump(notebook)}


@deserves(ALL_OR_LESS)
def other_case(notebook: Notebook) -> Files:
    """Submit the notebook under its name in capital letters."""
    return {NAME.upper(): dump(notebook)}


@deserves(ALL_OR_LESS)
def two_names(notebook: Notebook) -> Files:
    """Submit a broken file under the right name, and the correct notebook under another name."""
    return {NAME: b"{", "renyi_dp-Copy1.ipynb": dump(notebook)}


@deserves()
def several(notebook: Notebook) -> Files:
    """Submit the notebook with five wrong copies under other names, some of them in folders."""
    others = dump(wrong(copy.deepcopy(notebook)))
    names = (
        "a.ipynb",
        "zz.ipynb",
        "renyi_dp (1).ipynb",
        "x/renyi_dp.ipynb",
        ".ipynb_checkpoints/renyi_dp-checkpoint.ipynb",
    )
    return {NAME: dump(notebook)} | dict.fromkeys(names, others)


@deserves(NOTHING)
def nothing_at_all(notebook: Notebook) -> Files:
    """Submit no file."""
    return {}


@deserves(NOTHING)
def python_file(notebook: Notebook) -> Files:
    """Submit a Python file instead of the notebook."""
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return {"renyi_dp.py": "\n".join(cells).encode()}


@deserves(NOTHING)
def zip_of_the_notebook(notebook: Notebook) -> Files:
    """Submit a zip archive under two names, with a file in it whose path leaves the folder."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, dump(notebook))
        archive.writestr("../../../HOSTILE_TOKEN", b"outside")
    return {NAME: stream.getvalue(), "renyi_dp.zip": stream.getvalue()}


@deserves(NOTHING)
def zip_bomb(notebook: Notebook) -> Files:
    """Submit small archives that unpack to 200 MB and 1 GB, one of them also as the notebook."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    bomb = b"".join(packer.compress(zeros) for _ in range(1024)) + packer.flush()
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("renyi_dp.ipynb", "w") as file,
    ):
        for _ in range(200):
            file.write(zeros)
    return {NAME: stream.getvalue(), f"{NAME}.gz": bomb, "renyi_dp.zip": stream.getvalue()}


@deserves(NOTHING)
def packed(notebook: Notebook) -> Files:
    """Submit the notebook compressed by gzip under the notebook's name."""
    return {NAME: gzip.compress(dump(notebook), mtime=0)}


@deserves()
def paths_in_names(notebook: Notebook) -> Files:
    """Add files whose names leave the submission's folder, are absolute, or contain a NUL."""
    names = (
        "../HOSTILE_TOKEN",
        "../../../../../../tmp/HOSTILE_TOKEN",
        "/tmp/HOSTILE_TOKEN",
        "a/../../b",
        "..",
        ".",
        "",
        "x\x00y",
        "~/HOSTILE_TOKEN",
        "..\\..\\HOSTILE_TOKEN",
        "C:\\x",
        "./renyi_dp.ipynb/x",
    )
    return {NAME: dump(notebook)} | dict.fromkeys(names, b"outside")


@deserves()
def odd_names(notebook: Notebook) -> Files:
    """Add files whose names are long or contain line ends, scripts, commands or templates."""
    names = (
        "a\nb.ipynb",
        "<script>HOSTILE_SCRIPT=1</script>.ipynb",
        "{{ 7 * 191 }}.ipynb",
        "Ré́nyi ∞.ipynb",
        "\u202egpj.ipynb",
        "x" * 250 + ".ipynb",
        "'; drop table grade; --.ipynb",
        "-rf",
        "$(touch x)",
        "\x1b[2J.ipynb",
        "\udc80.ipynb",
        "con.ipynb ",
        "ß.IPYNB",
        "%2e%2e%2fx.ipynb",
    )
    return {NAME: dump(notebook)} | dict.fromkeys(names, b"{}")


@deserves()
def many_files(notebook: Notebook) -> Files:
    """Submit five thousand files beside the notebook."""
    return {NAME: dump(notebook)} | {f"data/{i}.csv": b"1,2\n" for i in range(5000)}


@deserves(NOTHING)
def checks_replaced(notebook: Notebook) -> Files:
    """Submit functions that always return 1.0, and a forged checks.json, the file that describes
    the checks, in which 1.0 is the right answer everywhere.
    """
    case: dict[str, Any] = {
        "args": [1.0],
        "kwargs": {},
        "words": None,
        "expected": 1.0,
        "mistakes": [],
    }
    part = {
        "kind": "values",
        "points": 99,
        "hidden": False,
        "book": "renyi_dp#x",
        "cases": [case],
        "compare": {"relative": 0.9, "absolute": 1e9},
        "recognise": [],
        "builds_on": [],
        "messages": [],
    }
    checks = {
        grade_id(cell): part | {"name": grade_id(cell), "call": "float"}
        for cell in notebook["cells"]
        if is_check(cell)
    }
    return files(wrong(notebook)) | {"checks.json": dump({"checks": checks})}


@deserves(NOTHING)
def modules_beside(notebook: Notebook) -> Files:
    """Submit wrong functions, with modules and settings that would replace the grader's own."""
    lie = (
        b"import builtins\nbuiltins.abs = lambda x: 0.0\ndef check(*a, **k): return 99.0\n"
        b"print('PLANTED', 'FILE')\n"
    )
    names = (
        "dpteach/__init__.py",
        "dpteach/grading/__init__.py",
        "numpy.py",
        "json.py",
        "sitecustomize.py",
        "math.py",
        "zmq.py",
        "ipykernel_launcher.py",
        "IPython/__init__.py",
        "conftest.py",
    )
    config = b"c = get_config()\nimport os\nos.system('touch /tmp/HOSTILE_TOKEN')\n"
    settings_of = (
        "nbgrader_config.py",
        "ipython_config.py",
        "jupyter_config.py",
        "ipython_kernel_config.py",
    )
    return files(wrong(notebook)) | dict.fromkeys(names, lie) | dict.fromkeys(settings_of, config)


# attacks by folders, which need a file system


@deserves(NOTHING, on_disk=True)
def link_to_source(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a link to the instructor's source notebook."""
    (folder / NAME).symlink_to(f"../../../source/renyi_dp/{NAME}")


@deserves(NOTHING, on_disk=True)
def link_to_other_student(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a link to another student's submission."""
    (folder / NAME).symlink_to(f"../../honest/renyi_dp/{NAME}")


@deserves(ALL_OR_LESS, on_disk=True)
def link_to_secrets(folder: Path, notebook: Notebook) -> None:
    """Add links to /etc/passwd, the gradebook and the root folder."""
    (folder / NAME).write_bytes(dump(notebook))
    (folder / "data.csv").symlink_to("/etc/passwd")
    (folder / "gradebook.db").symlink_to("../../../gradebook.db")
    (folder / "root").symlink_to("/")
    (folder / "loop").symlink_to(".")
    (folder / "nowhere").symlink_to("/nowhere/at/all")


@deserves(NOTHING, on_disk=True)
def link_to_passwd(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a link to /etc/passwd."""
    (folder / NAME).symlink_to("/etc/passwd")


@deserves(NOTHING, on_disk=True)
def link_loop(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a link to itself."""
    (folder / NAME).symlink_to(NAME)


@deserves(NOTHING, on_disk=True)
def link_without_end(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a link to a device whose content never ends."""
    (folder / NAME).symlink_to("/dev/zero")


@deserves(NOTHING, on_disk=True)
def pipe(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a pipe, from which reading waits forever."""
    os.mkfifo(folder / NAME)
    os.mkfifo(folder / "x.ipynb")


@deserves(NOTHING, on_disk=True)
def unix_socket(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a Unix socket."""
    here = os.open(".", os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as link:
        os.chdir(folder)  # the path of a socket must be short
        try:
            link.bind(NAME)
        finally:
            os.fchdir(here)
            os.close(here)


@deserves(NOTHING, on_disk=True)
def directory(folder: Path, notebook: Notebook) -> None:
    """Submit a folder under the notebook's name, with the notebook in it."""
    (folder / NAME).mkdir()
    (folder / NAME / NAME).write_bytes(dump(notebook))


@deserves(ALL_OR_LESS, on_disk=True)
def deep_folders(folder: Path, notebook: Notebook) -> None:
    """Add 40 nested folders, whose path is longer than the system allows for a file name."""
    (folder / NAME).write_bytes(dump(notebook))
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(40):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.fchdir(here)
        os.close(here)


@deserves(ALL_OR_LESS, on_disk=True)
def sparse_file(folder: Path, notebook: Notebook) -> None:
    """Add a sparse file beside the notebook: it claims a terabyte and takes no room on the disk."""
    (folder / NAME).write_bytes(dump(notebook))
    with open(folder / "data.bin", "wb") as file:
        file.truncate(1 << 40)


@deserves(NOTHING, on_disk=True)
def sparse_notebook(folder: Path, notebook: Notebook) -> None:
    """Make the notebook a sparse file: it claims 50 GB and takes no room on the disk."""
    with open(folder / NAME, "wb") as file:
        file.truncate(50 << 30)


@deserves(ALL_OR_LESS, on_disk=True)
def names_of_bytes(folder: Path, notebook: Notebook) -> None:
    """Add files whose names are invalid UTF-8 or contain line ends or a script."""
    (folder / NAME).write_bytes(dump(notebook))
    for name in (
        b"\xff\xfe.ipynb",
        b"a\nb",
        b"<script>HOSTILE_SCRIPT=1</script>".replace(b"/", b"|"),
        b" ",
        b"-x",
    ):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(b"{}")


#: odd but valid student ids. Their folders contain the correct notebook and are graded in the same
#: run as the attacks
STUDENTS = (
    "=HYPERLINK('x')",
    "@sum",
    "+1",
    "Zoë 李 ∞",
    "a b",
    "x" * 200,
    "{{ 7 * 191 }}",
    "a'; drop table student; --",
    "..x",
    ".hidden",
    "-rf",
    "$(touch HOSTILE_TOKEN)",
    "%2e%2e",
)

#: names of folders that are not valid student ids
NO_STUDENTS = (
    '=HYPERLINK("x")',
    "<script>HOSTILE_SCRIPT=1<|script>",
    "a\nb",
    "\u0131\u0307\u202e",
)
