"""Tests of how a notebook notices that a function needs dpteach, which is missing in grading."""

from __future__ import annotations

import ast
import functools
import itertools
import json
import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpteach import divergences
from dpteach.grading import CheckFailed, check
from dpteach.grading.kinds import implementations
from dpteach.grading.student import reach, runner

KL = "divergences.kl_divergence(p, p)"
LAW = [0.5, 0.5]


def notebook(*cells: str) -> dict[str, Any]:
    """Return the variables of a notebook that has run these cells."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, text in zip(itertools.count(), cells, strict=False):
        name = f"<cell {number} of {hash(cells)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), names)
    return names


IMPORT = "from dpteach import divergences\n"
USED = "Your function uses `divergences` of dpteach."
NAMED = "Your function uses `"
LOST = "Your function stands in a cell that imports dpteach."


@pytest.mark.parametrize(
    ("cells", "words", "called"),
    [
        ([IMPORT, f"def f(p): return {KL}"], USED, True),
        ([IMPORT, f"def f(p): return p or {KL}"], "", True),
        ([IMPORT + "def f(p): return p"], LOST, False),
        (["def f(p): return p\n" + IMPORT], "", True),
        # in grading, dpteach is missing, so the cell that defines the helper function g would fail
        ([IMPORT + "def g(p): return p", "def f(p): return g(p)"], LOST, True),
        ([IMPORT + "def g(p): return p", "def f(p): return p or g(p)"], "", True),
        # the function f may also be a method, an object or a class
        ([IMPORT, f"class C:\n    def f(self, p): return {KL}", "f = C().f"], USED, True),
        ([IMPORT, f"class C:\n    def __call__(self, p): return {KL}", "f = C()"], USED, True),
        ([IMPORT, f"class C:\n    def __new__(cls, p): return {KL}", "f = C"], USED, True),
        (
            [
                IMPORT,
                f"class C:\n    @staticmethod\n    def g(p): return {KL}",
                "f = lambda p: C.g(p)",
            ],
            USED,
            True,
        ),
        (
            [
                IMPORT,
                f"class C:\n    @classmethod\n    def g(cls, p): return {KL}",
                "f = lambda p: C.g(p)",
            ],
            USED,
            True,
        ),
        (
            [
                IMPORT,
                "class C:\n    @property\n    def g(self): return divergences.kl_divergence",
                "def f(p): return C().g(p, p)",
            ],
            USED,
            True,
        ),
        (
            [
                IMPORT,
                f"import functools\n@functools.cache\ndef g(): p = (1.0,); return {KL}",
                "def f(p): return g()",
            ],
            USED,
            True,
        ),
        (
            [IMPORT, f"import functools\ndef g(k, p): return {KL}", "f = functools.partial(g, 1)"],
            USED,
            True,
        ),
        (
            [IMPORT, "def f(p, d=divergences): return d.kl_divergence(p, p)"],
            NAMED,
            True,
        ),
        (
            [IMPORT, "def f(p, *, d=divergences): return d.kl_divergence(p, p)"],
            NAMED,
            True,
        ),
        (
            [IMPORT, "def g(d):\n    return lambda p: d.kl_divergence(p, p)", "f = g(divergences)"],
            NAMED,
            True,
        ),
        ([IMPORT, f"def f(p):\n    def g(): return {KL}\n    return g()"], USED, True),
        (
            [f"def f(p):\n    def g():\n        {IMPORT}        return {KL}\n    return g()"],
            "Your function uses dpteach.",
            True,
        ),
        (
            [
                "def f(p):\n    def g(): return p\n    def h():\n"
                "        import dpteach.divergences as d\n"
                "        return d.kl_divergence(p, p)\n    return g() and h()"
            ],
            "Your function uses dpteach.",
            True,
        ),
        (["def f(p):\n    return __import__('dpteach.audit') and p"], "", True),
        (["def f(p): return f(p[1:]) if p else 0"], "", True),
        (["def g(): return later\nf = lambda p: p", "later = 1"], "", True),
        (["from dpteach.grading import check\ndef f(p): return p"], "", True),
    ],
)
def test_ways_to_the_library(cells: list[str], words: str, called: bool) -> None:
    function, calls = notebook(*cells)["f"], []

    def call() -> str:
        calls.append(1)
        function(LAW)
        return "result"

    def profile(*_: Any) -> None:
        pass

    sys.setprofile(profile)
    try:
        found, said = reach.watched(function, call)
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)
    assert said.startswith(words) and bool(said) == bool(words)
    assert (found, bool(calls)) == (("result", True) if called else (None, False))


def test_what_the_grader_does_is_no_use_of_the_library() -> None:
    function = notebook(IMPORT, f"def f(p, g): return g(p) or p or {KL}")["f"]
    inner = reach.unwatched(lambda p: divergences.kl_divergence(p, p))
    assert reach.watched(function, lambda: function(LAW, inner)) == (LAW, "")


@pytest.mark.parametrize(
    ("module", "inside"),
    [
        ("dpteach", True),
        ("dpteach.audit", True),
        ("dpteach.grading", False),
        ("dpteach.grading.core.plain", False),
        ("dpteach.gradings", True),
        ("dpteachers", False),
        ("numpy", False),
        (None, False),
    ],
)
def test_what_is_the_library(module: object, inside: bool) -> None:
    assert reach._inside(module) is inside


def test_whose_things_are_the_library_s() -> None:
    from dpteach import Gaussian

    for one in (divergences, divergences.kl_divergence, Gaussian, Gaussian(sigma=1.0)):
        assert reach._of_library(one)
    for one in (json, json.dumps, Path, Path(), check, 3):
        assert not reach._of_library(one)
    assert reach._reach(notebook("def f(p): return 'dpteach' and p")["f"])[0] == ""
    method = notebook(IMPORT, "class C:\n    def m(self): pass\n")["C"]().m
    assert reach._reach(method)[0] == ""
    assert reach._reach(functools.partial(divergences.kl_divergence))[0] == (
        "Your function uses `kl_divergence` of dpteach."
    )


def test_a_variable_that_is_not_there_yet() -> None:
    def outer() -> Callable[..., Any]:
        def inner() -> Any:
            return later, now

        now = 3
        kept = inner
        if now == 4:
            later = 1
        return kept

    assert reach._around(outer()) == [3]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "imports"),
    [
        ("from dpteach import divergences", True),
        ("from dpteach import grading", False),
        ("from dpteach import grading, audit", True),
        ("from dpteach.audit import grading", True),
        ("from dpteach.grading import check", False),
        ("from numpy import array", False),
        ("import dpteach", False),
        ("import dpteach.audit", True),
        ("import numpy, dpteach.audit as a", True),
        ("import dpteach.grading", False),
        ("x = 1", False),
    ],
)
def test_lines_that_import(line: str, imports: bool) -> None:
    assert reach._imports(ast.parse(line).body[0]) is imports


def test_cells_that_are_no_python() -> None:
    names = notebook("def f(p): return p")
    code = names["f"].__code__.co_filename
    linecache.cache[code] = (1, None, ["from dpteach import audit\n", "%magic\n"], code)
    assert not reach._of_cell(names["f"])
    linecache.cache[code] = (1, None, ["from dpteach import audit\n", "\n"], code)
    moved = names["f"].__code__.replace(co_firstlineno=2)
    function = types.FunctionType(moved, names)
    function.__module__ = "__main__"
    assert reach._of_cell(function)
    function.__module__ = "mine"
    assert not reach._of_cell(function)


# --- the messages of check() about functions that call the library


PART = {
    **{"kind": "values", "name": "f_values", "points": 1, "call": "f", "hidden": False},
    **{"book": "a#b", "builds_on": [], "messages": [], "recognise": []},
    "compare": {"relative": 0.0, "absolute": 0.0},
    "cases": [{"args": [LAW], "kwargs": {}, "words": "", "expected": LAW, "mistakes": []}],
}


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["def f(p): return p"], ""),
        ([IMPORT, f"def f(p): return p or {KL}"], ""),
        (
            [IMPORT, f"def f(p): return {KL} or p"],
            f"f_values: {USED} The library is not available",
        ),
        ([IMPORT + "def f(p): return p"], f"f_values: {LOST} The library is not available"),
        (["f = 3"], "f_values: `f` is no longer a function"),
        (["g = 3"], "f_values: there is no function `f` yet"),
        (["def f(p): return 3"], "f_values: not right yet."),
    ],
)
def test_what_check_says(
    cells: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "checks.json").write_text(json.dumps({"checks": {"f_values": PART}}))
    monkeypatch.chdir(tmp_path)
    names = notebook(*cells) | {"check": check}
    if not words:
        exec("check('f_values')", names)
        assert capsys.readouterr().out == "f_values: right on 1 of 1 visible case.\n"
        return
    with pytest.raises(CheckFailed) as caught:
        exec("check('f_values')", names)
    assert str(caught.value).startswith(words)
    red, *_ = caught.value._render_traceback_()
    assert red.startswith("\x1b[31mf_values: ") and red.endswith("\x1b[0m")


def test_a_test_of_one_s_own_stays_in_the_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A student's test counts as using dpteach only if its own code calls dpteach.

    Testing an implementation that is a function of dpteach, here `kl_divergence`, does not count.
    """

    def elsewhere(sources: Any) -> Any:
        raise AssertionError("a process of its own")

    monkeypatch.setattr(implementations.Implementations, "of", elsewhere)
    wrong = {
        "entry": "g",
        "text": "def g(x): return x",
        "right": False,
        "words": "",
        "mistakes": [],
    }
    right = {**wrong, "entry": "dpteach.divergences.kl_divergence", "text": "", "right": True}
    part = PART | {"kind": "tests", "suspects": [right, wrong]}
    function = notebook(IMPORT, f"def f(g):\n    assert g([1.0], [1.0]) == 0.0 or {KL}")["f"]
    (verdict, printed), used = reach.watched(function, lambda: runner.run(function, part))
    assert (verdict.failed, printed, used) == (0, "", "")


@pytest.mark.parametrize(("seconds", "told"), [(1.9, False), (4.5, True)])
@pytest.mark.parametrize("passed", [True, False])
def test_a_test_that_takes_long_is_told_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    seconds: float,
    told: bool,
    passed: bool,
) -> None:
    """The message on a student's slow test warns that grading may run out of time."""
    right = {"entry": "g", "text": "def g(x): return 2 * x", "right": True, "words": ""}
    wrong = {"entry": "h", "text": "def h(x): return x", "right": False, "words": ""}
    part = PART | {"kind": "tests", "suspects": [right, wrong]}
    (tmp_path / "checks.json").write_text(json.dumps({"checks": {"f_values": part}}))
    monkeypatch.chdir(tmp_path)
    clock = itertools.count(0.0, seconds)
    monkeypatch.setattr(runner, "time", SimpleNamespace(process_time=lambda: next(clock)))
    names = notebook(f"def f(g):\n    assert g(1) == {2 if passed else 3}") | {"check": check}
    if passed:
        exec("check('f_values')", names)
        said = capsys.readouterr().out
    else:
        with pytest.raises(CheckFailed) as caught:
            exec("check('f_values')", names)
        said = str(caught.value)
    assert ("The test took 4.5 s for one implementation." in said) is told
    assert ("  time  " in said) is told
