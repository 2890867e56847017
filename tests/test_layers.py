"""Tests that modules import only from lower layers, without cycles, and that importing is fast."""

from __future__ import annotations

import ast
import graphlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dpteach"

#: the layers of the package, the lowest first; a module may import only from lower layers. The
#: layers before ``dpteach`` are the library, and those after it are the applications. The entry
#: ``dpteach`` is the package's ``__init__``, which gathers the public names of the library, so only
#: the applications may import from it. Each subpackage of ``grading`` has its own entry, and the
#: entry ``grading`` is the module that gathers their public functions
LAYERS = (
    {"_check", "_extras", "_language", "_numerics", "_readable"},
    {"_exact", "hospital"},
    {"privacy_loss"},
    {"divergences"},
    {"channels"},
    {"notions"},
    {"conversions"},
    {"sensitivity", "mechanisms"},
    {"amplification"},
    {"accounting", "attacks", "audit", "filters"},
    {"accountants", "composition", "curves"},
    {"calibration", "training"},
    {"dpteach"},
    {"figures"},
    {"widgets"},
    {"_kernels"},
    {"grading.core"},
    {"grading.kinds", "grading.sandbox", "grading.submission", "grading.course"},
    {"grading.judging"},
    {"grading.student"},
    {"grading.author", "grading.pages"},
    {"grading.classroom"},
    {"grading"},
    {"demos"},
    {"building"},
    {"term"},
    {"publish"},
    {"serve"},
    {"publish"},
    {"cli"},
    {"__main__"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LIBRARY = LEVEL["dpteach"]
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
ROOMS = sorted(path.parent for path in PACKAGE.glob("grading/*/__init__.py"))


def module(path: Path) -> str:
    """Return the full dotted name of the module in a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def name_of(path: Path) -> str:
    """Return the entry in `LAYERS` to which a file belongs."""
    unit_of_it = unit(module(path))
    assert unit_of_it is not None
    return unit_of_it


def imports(path: Path) -> Iterator[str]:
    """Yield the full names of all modules and names that a file imports, also inside functions."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, node.module) if node.module else base)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def unit(name: str) -> str | None:
    """Return the entry in `LAYERS` for a module's or object's full name; None outside dpteach."""
    top, *rest = name.split(".")
    if top != "dpteach":
        return None
    if rest[:1] == ["grading"] and (PACKAGE / "grading" / "".join(rest[1:2])).is_dir():
        return ".".join(rest[:2])
    if rest and ((PACKAGE / rest[0]).is_dir() or (PACKAGE / f"{rest[0]}.py").is_file()):
        return rest[0]
    return "dpteach"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_lower_layers(path: Path) -> None:
    own = name_of(path)
    assert own in LEVEL, f"{own} has no layer yet: give it one in LAYERS"
    for imported in imports(path):
        other = unit(imported)
        if other is None or other == own:
            continue
        assert LEVEL[other] < LEVEL[own], f"{own} imports {imported}, which is no lower layer"


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if LEVEL.get(name_of(path), 99) <= LIBRARY],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_the_library_needs_only_numpy_and_scipy(path: Path) -> None:
    foreign = {name.split(".")[0] for name in imports(path)} - {*sys.stdlib_module_names}
    assert foreign <= {"dpteach", "numpy", "scipy"}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return a cycle in a graph, with its first module again at its end; [] if there is none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def graph_of(paths: Iterable[Path]) -> dict[str, set[str]]:
    """Map each module in `paths` to the others that it imports, even if only for annotations."""
    names = {module(path): path for path in paths}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        graph[name] = set()
        for imported in imports(path):
            while imported and imported not in names:
                imported = imported.rpartition(".")[0]
            graph[name] |= {imported} - {"", name}
    return graph


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(graph_of(MODULES)) == []


def test_a_circle_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    files = {
        "one": "from dpteach.a import two\n",
        "two": "def f():\n    from dpteach.a.three import x\n",
        "three": "if TYPE_CHECKING:\n    import dpteach.a.one\n",
        "four": "from dpteach.a import one\n",
    }
    (tmp_path / "dpteach" / "a").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "dpteach" / "a" / f"{name}.py").write_text(text)
    graph = graph_of(tmp_path.rglob("*.py"))
    assert {*circle(graph)} == {f"dpteach.a.{name}" for name in ("one", "two", "three")}
    del graph["dpteach.a.three"]
    assert circle(graph) == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_says_what_it_may_import(room: Path) -> None:
    """The docstring of each subpackage of ``grading`` ends with a correct list of its imports."""
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or ""
    may = re.search(r"^This subpackage may import (.*)\.\Z", text, re.MULTILINE | re.DOTALL)
    assert may is not None
    told = {f"grading.{name}" for name in re.findall(r"`(\w+)`", may[1])}
    used = {unit(name) for path in room.rglob("*.py") for name in imports(path)}
    assert {name for name in used if name and name.startswith("grading")} - {name_of(room)} == told
    for path in room.glob("[!_]*.py"):
        assert f"`{path.stem}`" in text, f"who works in {path.stem}?"


def test_what_is_private_to_a_room_stays_there() -> None:
    for path in MODULES:
        for name in imports(path):
            inner = re.match(r"dpteach\.grading\.(\w+)\._", name)
            assert inner is None or name_of(path) == f"grading.{inner[1]}", (path, name)


def test_what_is_private_to_a_topic_of_the_figures_stays_there() -> None:
    for path in MODULES:
        for name in imports(path):
            private = re.match(r"dpteach\.figures\.([a-z]\w*)\._", name)
            assert private is None or path.stem == private[1], (path, name)


def test_upward_and_facade_imports_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "dpteach" / "notions"
    fake.mkdir(parents=True)
    (fake / "new.py").write_text(
        "from .. import mechanisms\nfrom ._base import x\n"
        "def f():\n    import dpteach.audit\n    from dpteach import ZCDP\n"
    )
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    assert set(imports(fake / "new.py")) == {
        "dpteach.mechanisms",
        "dpteach.notions._base.x",
        "dpteach.audit",
        "dpteach.ZCDP",
    }
    assert unit("dpteach.ZCDP") == "dpteach"
    assert unit("dpteach.mechanisms") == "mechanisms"
    assert unit("numpy.linalg") is None


IMPORT = """
import time
start = time.process_time()
import dpteach
took = time.process_time() - start
import sys
heavy = {"scipy", "matplotlib", "ipywidgets", "anywidget", "nbgrader", "IPython"}
print(took, *sorted(heavy & set(sys.modules)))
"""


def test_importing_the_package_is_quick_and_loads_no_extras() -> None:
    # permit Python to write bytecode, so that only the first run compiles the modules; time
    # several runs, because on a busy machine a single time is unreliable
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = []
    while not times or (min(times) >= 0.3 and len(times) < 20):
        run = subprocess.run(
            [sys.executable, "-c", IMPORT],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=environment,
        )
        took, *heavy = run.stdout.split()
        assert heavy == []
        times.append(float(took))
    assert min(times) < 0.3, times
