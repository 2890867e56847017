"""Detection of students' functions that call the library `dpteach` to compute their answer.

In the sandbox in which assignments are graded, the library `dpteach` is missing. To give the same
verdict in the student's own notebook, `check` finds out whether a function can reach the library,
directly or through other functions of the notebook, and if so, whether the function calls the
library on the cases of the check.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from dpteach._language import catalog

_, _n = catalog("student")

_OWN = "dpteach.grading"

#: the types of objects that contain one function, which runs when the object is called or read
_AROUND_ONE = (
    types.MethodType,
    staticmethod,
    classmethod,
    property,
    functools.partial,
    type(functools.cache(len)),
)

_T = TypeVar("_T")


def watched(function: Any, call: Callable[[], _T]) -> tuple[_T | None, str]:
    """Run `call`; return its result, and a sentence on how `function` used `dpteach`, or "".

    Parameters
    ----------
    function
        The student's function, which the call runs.
    call
        The call to make and to watch.

    Returns
    -------
    object, str
        The result of the call, and the sentence. If the function cannot even be defined without
        the library, the call is not made, and the result is None.
    """
    words, lost = _reach(function)
    if not words:
        return call(), ""
    if getattr(function, "__code__", None) in lost:
        return None, words
    used = False

    def see(frame: types.FrameType, event: str, argument: object) -> None:
        nonlocal used
        if event == "call" and (_inside(frame.f_globals.get("__name__")) or frame.f_code in lost):
            used = True

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        result = call()
    finally:
        sys.setprofile(before)
    return result, words if used else ""


def unwatched(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wrap a function so that `watched` ignores the function's own calls of the library."""

    def inner(data: Any) -> Any:
        before = sys.getprofile()
        # `watched` sets a profile function that is written in Python; without one, `watched` is
        # not running, so there is nothing to suspend
        if not isinstance(before, types.FunctionType):
            return call(data)
        sys.setprofile(None)
        try:
            return call(data)
        finally:
            sys.setprofile(before)

    return inner


def _reach(function: Any) -> tuple[str, set[types.CodeType]]:
    """Find out how a student's function can call the library, directly or by other functions.

    Returns
    -------
    str, set of code objects
        A sentence that tells the student how, or "" if the function cannot call the library; and
        the code of those functions whose cells import the library, and so fail without it.

    Examples
    --------
    >>> from dpteach import divergences
    >>> _reach(lambda p, q: divergences.kl_divergence(p, q))
    ('Your function uses `divergences` of dpteach.', set())
    """
    words = ""
    lost: set[types.CodeType] = set()
    waiting: list[tuple[str, Any]] = [("", function)]
    seen: set[int] = set()
    while waiting:
        name, one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        if _of_library(one):
            words = words or _of_named(name or getattr(one, "__name__", ""))
        elif isinstance(one, types.FunctionType):
            if _of_cell(one):
                lost.add(one.__code__)
                words = words or _("Your function stands in a cell that imports dpteach.")
            words = words or _of_code(one.__code__)
            names = {name for code in _codes(one.__code__) for name in code.co_names}
            waiting += [(n, one.__globals__[n]) for n in sorted(names & set(one.__globals__))]
            waiting += [(name, value) for value in _around(one)]
        elif isinstance(one, _AROUND_ONE):
            inner = ("__func__", "func", "fget", "__wrapped__")
            waiting += [(name, getattr(one, held)) for held in inner if hasattr(one, held)]
        elif isinstance(one, type) and one.__module__ == "__main__":
            waiting += [(name, value) for value in vars(one).values()]
        elif type(one).__module__ == "__main__" and callable(one):
            waiting.append((name, type(one)))
    return words, lost


def _of_named(name: str) -> str:
    """Return a sentence that a function uses dpteach; it mentions `name` unless that is ""."""
    if not name:
        return _("Your function uses dpteach.")
    return _("Your function uses `{name}` of dpteach.", name=name)


def _inside(module: object) -> bool:
    """Return whether an object is the name of a module of dpteach, but not of the grader."""
    return (
        isinstance(module, str)
        and (module == "dpteach" or module.startswith("dpteach."))
        and not (module == _OWN or module.startswith(f"{_OWN}."))
    )


def _of_library(value: Any) -> bool:
    """Return whether an object is a module of the library or is defined in one."""
    if isinstance(value, types.ModuleType):
        return _inside(value.__name__)
    home = value if isinstance(value, (type, types.FunctionType)) else type(value)
    return _inside(getattr(home, "__module__", None))


def _around(function: types.FunctionType) -> list[Any]:
    """Return the values in a function's closure and in its default arguments."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # a variable of the enclosing function has no value yet
            continue
    keywords = (function.__kwdefaults__ or {}).values()
    return [*cells, *(function.__defaults__ or ()), *keywords]


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a function's code, and the code of all functions that are defined inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)


def _of_code(code: types.CodeType) -> str:
    """Return a message if a function's own code names dpteach or a module of it, else ""."""
    for one in _codes(code):
        texts = (*one.co_names, *(const for const in one.co_consts if isinstance(const, str)))
        if "dpteach" in one.co_names or any(_inside(text) and "." in text for text in texts):
            return _("Your function uses dpteach.")
    return ""


def _of_cell(function: types.FunctionType) -> bool:
    """Return whether the cell that defines a function imports the library above the function."""
    text = "".join(linecache.getlines(function.__code__.co_filename))
    if function.__module__ != "__main__" or "dpteach" not in text:
        return False
    try:
        tree = ast.parse(text)
    # a cell with a magic command of IPython cannot be parsed; assume that it imports nothing
    except SyntaxError:
        return False
    before = [node for node in tree.body if node.lineno < function.__code__.co_firstlineno]
    return any(map(_imports, before))


def _imports(node: ast.stmt) -> bool:
    """Return whether a statement imports a part of the library other than the grader."""
    if isinstance(node, ast.ImportFrom):
        own = node.module == "dpteach" and all(alias.name == "grading" for alias in node.names)
        return _inside(node.module) and not own
    if isinstance(node, ast.Import):
        return any(_inside(alias.name) and "." in alias.name for alias in node.names)
    return False
