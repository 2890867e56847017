"""A module imports only from lower layers, and importing the package costs little."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dpteach"

#: from the lowest up. The package itself, which gathers the names that users see, is the
#: ceiling of the library: what stands above may import from it, what stands below may not
LAYERS = (
    {"_check", "_numerics"},
    {"_exact", "hospital"},
    {"privacy_loss"},
    {"_lattice", "divergences"},
    {"channels"},
    {"notions"},
    {"conversions"},
    {"composition"},
    {"sensitivity", "mechanisms"},
    {"amplification"},
    {"_pairs", "attacks", "audit", "filters"},
    {"accountants"},
    {"calibration"},
    {"curves"},
    {"dpteach"},
    {"figures"},
    {"widgets", "grading", "serve"},
    {"cli"},
    {"__main__"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LIBRARY = LEVEL["dpteach"]
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """The first name below the package: the unit that has a layer."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "dpteach" if first == "__init__" else first


def imports(path: Path) -> Iterator[str]:
    """Full names of everything imported, in functions too."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, node.module) if node.module else base)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def unit(name: str) -> str | None:
    """The unit of this package that an imported name belongs to; None for other packages."""
    top, *rest = name.split(".")
    if top != "dpteach":
        return None
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
    # the first of these may have to compile, and leaves bytecode for the others; on a machine
    # that is busy with something else a single time says little
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
