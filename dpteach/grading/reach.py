"""Whether a student's function gets its answer from the library that it should be building.

When an assignment is graded, `dpteach` is not there. So that the same function has the same verdict
in the student's own notebook, `check` looks whether it reaches the library, by itself or through
functions of the notebook that it calls.
"""

from __future__ import annotations

import ast
import functools
import linecache
import types
from typing import Any

_OWN = "dpteach.grading"


def library_use(function: Any) -> str:
    """How a function reaches `dpteach`, in words; "" if it does not.

    Parameters
    ----------
    function
        A function of a notebook.

    Examples
    --------
    >>> from dpteach import divergences
    >>> library_use(lambda p, q: divergences.kl_divergence(p, q))
    'uses `divergences` of dpteach'
    >>> library_use(lambda p, q: max(p))
    ''
    """
    waiting, seen = [("", function)], set()
    while waiting:
        name, one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if _of_library(one):
            return f"uses `{name or getattr(one, '__name__', 'a function')}` of dpteach"
        if isinstance(one, types.FunctionType):
            found = _of_code(one.__code__) or _of_cell(one)
            if found:
                return found
            names = _names(one.__code__) & set(one.__globals__)
            waiting += [(n, one.__globals__[n]) for n in sorted(names)]
            waiting += [(name, value) for value in _around(one)]
        elif isinstance(one, (types.MethodType, functools.partial)):
            waiting.append((name, one.__func__ if isinstance(one, types.MethodType) else one.func))
        elif type(one).__module__ == "__main__" and callable(one):
            waiting.append((name, type(one).__call__))
        elif isinstance(one, type) and one.__module__ == "__main__":
            waiting += [(name, value) for value in vars(one).values()]
    return ""


def _inside(module: object) -> bool:
    return (
        isinstance(module, str)
        and (module == "dpteach" or module.startswith("dpteach."))
        and not (module == _OWN or module.startswith(f"{_OWN}."))
    )


def _of_library(value: Any) -> bool:
    if isinstance(value, types.ModuleType):
        return _inside(value.__name__)
    home = value if isinstance(value, (type, types.FunctionType)) else type(value)
    return _inside(getattr(home, "__module__", None))


def _around(function: types.FunctionType) -> list[Any]:
    """What a function holds besides the notebook's names."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # not filled yet
            continue
    keywords = (function.__kwdefaults__ or {}).values()
    return [*cells, *(function.__defaults__ or ()), *keywords]


def _names(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _of_code(code: types.CodeType) -> str:
    """An import of the library inside a function."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    texts = [const for const in code.co_consts if isinstance(const, str)]
    if "dpteach" in code.co_names or any(
        _inside(name) and "." in name for name in (*code.co_names, *texts)
    ):
        return "uses dpteach"
    return next((found for found in map(_of_code, inner) if found), "")


def _of_cell(function: types.FunctionType) -> str:
    """An import of the library in the cell that defines a function: without it, the cell ends."""
    text = "".join(linecache.getlines(function.__code__.co_filename))
    if function.__module__ != "__main__" or "dpteach" not in text:
        return ""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a magic of IPython
        return ""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            own = all(alias.name == "grading" for alias in node.names)
            if _inside(module) and not (module == "dpteach" and own):
                return "stands in a cell that imports dpteach"
        elif isinstance(node, ast.Import) and any(
            _inside(alias.name) and "." in alias.name for alias in node.names
        ):
            return "stands in a cell that imports dpteach"
    return ""
