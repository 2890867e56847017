"""The verdict on a repair: the distribution of the answers, and the number of changed statements.

The answers are tested against the right distribution, like those of any mechanism (`random`). The
text of the student's function is compared with the broken function, statement by statement. Of the
student's notebook, only the text of the function (`text_alone`) is run, in a separate process and
after the cells that the instructor wrote.
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, NotRequired

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.specification import Outcome
from dpteach.grading.kinds.failures import Failure, odd
from dpteach.grading.kinds.kind import Witness
from dpteach.grading.kinds.random.judge import RandomPart, judge_random

_, _n = catalog("kinds")

#: the largest number of characters of a cell that is parsed
MOST_CHARACTERS: Final = 20_000

#: names that a changed statement may use in addition to the names in the broken function
# fmt: off
HARMLESS: Final = frozenset((
    "abs", "all", "any", "bool", "dict", "enumerate", "float", "int", "len", "list", "map",
    "math", "max", "min", "np", "pow", "range", "reversed", "round", "set", "sorted", "sum",
    "tuple", "zip",
))
# fmt: on

#: modules among the `HARMLESS` names, and their usual imports as pairs of a module and its alias
_MODULES: Final = {"np": np, "math": math}
_IMPORTS: Final = (("numpy", "np"), ("math", None))


class RepairPart(RandomPart):
    """The visible or the hidden part of a repair check.

    ``broken`` is the text of the broken function, and ``changes`` the number of statements that may
    differ from it. When a repair is judged, ``source`` is the text of the student's cell, and
    ``taken`` are the names, among those that any repair may use (`HARMLESS`), that the student's
    notebook has redefined.
    """

    broken: str
    changes: int
    source: NotRequired[str | None]
    taken: NotRequired[list[str]]


def problem_with(source: str, part: RepairPart) -> str:
    """Return a message if a cell is not an allowed repair of the broken function, else "".

    Parameters
    ----------
    source
        The text of a cell that defines the function.

    Examples
    --------
    >>> broken = "def g(x):\\n    y = 1\\n    return y"
    >>> part = {"call": "f", "changes": 1, "broken": broken}
    >>> problem_with("def f(x):\\n    y = abs(x)\\n    return y", part)
    ''
    >>> print(problem_with("def f(x):\\n    return x", part))
    2 statements differ from the given code, but only 1 may differ:
    `return x` in place of `y = 1`; `return y`.
    >>> part["broken"] = "def g(x):\\n    y = 1\\n    x = abs(x)\\n    return x + y"
    >>> print(problem_with("def f(x):\\n    x = abs(x)\\n    y = 1\\n    return x + y", part))
    2 statements differ from the given code, but only 1 may differ:
    `x = abs(x)` was moved, and a statement that is moved counts as two.
    """
    call = part["call"]
    found = _function(source, call)
    if isinstance(found, str):
        return found
    (broken,) = ast.parse(part["broken"]).body
    assert isinstance(broken, ast.FunctionDef)
    if found.decorator_list or _parameters(found) != _parameters(broken):
        return _(
            "The first line of `{call}` must stay as it was: the same parameters, no decorator.",
            call=call,
        )
    old, new = list(_statements(_body(broken))), list(_statements(_body(found)))
    matcher = SequenceMatcher(None, [one[0] for one in old], [one[0] for one in new], False)
    count, changed, missing = 0, [], []
    for what, i, end, j, last in matcher.get_opcodes():
        if what != "equal":
            count += max(end - i, last - j)
            changed += [one[1] for one in new[j:last]]
            missing += [one[1] for one in old[i:end]] if end - i > last - j else []
    if not count:
        return unchanged()
    if count > part["changes"]:
        return _n(
            "{count} statement differs from the given code, but only {most} may differ: {changes}.",
            "{count} statements differ from the given code, but only {most} may differ: {changes}.",
            count,
            most=part["changes"],
            changes=_differing(changed, missing),
        )
    foreign = _foreign(changed, {*HARMLESS, *_names(broken)})
    taken = (_names(found) - _stored(found)) & set(part.get("taken", ()))
    if foreign or not taken:
        return foreign
    return _(
        "The function uses `{name}`, which has another meaning in this notebook than in Python. "
        "Give your own `{name}` another name, restart the kernel and run all cells.",
        name=min(taken),
    )


def unchanged() -> str:
    """Return the message for a student who changed no statement of the broken function."""
    return _("It is still the broken mechanism: no statement is different.")


def _differing(changed: Sequence[ast.stmt], missing: Sequence[ast.stmt]) -> str:
    """Return a clause on the statements that a student changed or removed in the given code."""
    moved = sorted(set(map(_head, changed)) & set(map(_head, missing)))
    if moved:
        return _n(
            "{statements} was moved, and a statement that is moved counts as two",
            "{statements} were moved, and a statement that is moved counts as two",
            len(moved),
            statements=", ".join(f"`{head}`" for head in moved),
        )
    if not changed:
        return _("{statements} left out", statements=_heads(missing))
    if not missing:
        return _heads(changed)
    return _("{new} in place of {old}", new=_heads(changed), old=_heads(missing))


def text_alone(source: str, call: str) -> str:
    """Return only the definition of the function `call` from the text of a cell.

    Annotations are removed, because Python would evaluate them when it defines the function. The
    returned text is "" if the cell does not define the function by one plain ``def``.

    Examples
    --------
    >>> print(text_alone("print(1)\\ndef f(x: int) -> exit():\\n    return x", "f"))
    def f(x):
        return x
    """
    found = _function(source, call)
    if isinstance(found, str) or found.decorator_list:
        return ""
    found.returns = None
    _parameters(found)
    return ast.unparse(found)


def taken_in(namespace: Mapping[str, Any]) -> list[str]:
    """Return the `HARMLESS` names that a notebook has redefined.

    Examples
    --------
    >>> taken_in({"np": np, "sum": sum, "abs": np.abs})
    ['abs']
    """
    meant = {name: _MODULES.get(name) or getattr(builtins, name) for name in sorted(HARMLESS)}
    return [name for name, meaning in meant.items() if namespace.get(name, meaning) is not meaning]


def _function(source: str, name: str) -> ast.FunctionDef | str:
    """Return the syntax tree of a function in a cell's text, or a message on why there is none."""
    if len(source) > MOST_CHARACTERS:
        return _("The cell is far longer than the given code.")
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _("The cell cannot be read as Python.")
    found = [node for node in tree.body if name in _bound(node)]
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef):
        return _(
            "The cell must define `{name}` by one `def`, and give the name no other meaning.",
            name=name,
        )
    return found[0]


def _parameters(function: ast.FunctionDef) -> str:
    """Remove the annotations of a function's parameters, and return the parameters as a text."""
    for one in _all(function.args, ast.arg):
        one.annotation = None
    return ast.dump(function.args)


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements in a function's body, without its docstring."""
    return function.body[ast.get_docstring(function) is not None :]


def _all(node: ast.AST, *kinds: type[ast.AST]) -> list[Any]:
    """Return all nodes in a syntax tree, root included, that are instances of the given classes."""
    return [one for one in ast.walk(node) if isinstance(one, kinds)]


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a cell defines."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if isinstance(node, inner):
        return {node.name}
    return {*_imported(node), *(one.name for one in _all(node, *inner))} | _stored(node)


def _imported(node: ast.stmt) -> Iterator[str]:
    """Yield the names that imports in a statement define, except the usual ``np`` and ``math``."""
    for one in _all(node, ast.Import, ast.ImportFrom):
        for alias in one.names:
            usual = (alias.name, alias.asname) in _IMPORTS and isinstance(one, ast.Import)
            if not usual:
                yield alias.asname or alias.name


def _stored(node: ast.AST) -> set[str]:
    return {one.id for one in _all(node, ast.Name) if not isinstance(one.ctx, ast.Load)}


def _statements(body: Sequence[ast.stmt], depth: int = 0) -> Iterator[tuple[str, ast.stmt]]:
    """Yield (text to compare, statement) for all statements of a block, including nested ones.

    The text of a compound statement such as ``if`` contains only its head and its depth, because
    the statements in its blocks are compared separately.
    """
    for statement in body:
        bare = copy.deepcopy(statement)
        for block in _inside(bare):  # empty the blocks, so that only the head remains
            block[:] = [ast.Pass()]
        yield f"{depth} {ast.dump(bare)}", statement
        for inner in _inside(statement):
            yield from _statements(inner, depth + 1)


def _inside(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement, such as the body and the else of an ``if``."""
    for _, value in ast.iter_fields(statement):
        if isinstance(value, list):
            if value and isinstance(value[0], ast.stmt):
                yield value
            for one in value:
                if isinstance(one, (ast.ExceptHandler, ast.match_case)):
                    yield from _inside(one)


def _arguments(node: ast.AST) -> set[str]:
    return {one.arg for one in _all(node, ast.arg)}


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in _all(node, ast.Name)} | _arguments(node)


def _foreign(changed: Sequence[ast.stmt], known: set[str]) -> str:
    """Return a message if a changed statement uses a name that is not allowed, else "".

    A changed statement may use only the names in `known` and the names that it defines itself,
    because a call of another function could replace the whole mechanism.
    """
    for statement in changed:
        foreign = sorted(_names(statement) - known - _stored(statement) - _arguments(statement))
        if foreign or isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
            used = f"`{foreign[0]}`" if foreign else _("something from elsewhere")
            return _(
                "The new statement `{statement}` uses {used}. It may use only `np`, `math`, the "
                "names that occur in the given function, and these functions of Python: {allowed}.",
                statement=_head(statement),
                used=used,
                allowed=", ".join(sorted(HARMLESS - set(_MODULES))),
            )
        for one in _all(statement, ast.Attribute):
            if one.attr.startswith("__"):
                return _(
                    "The new statement `{statement}` uses `{used}`, which it must not.",
                    statement=_head(statement),
                    used=one.attr,
                )
    return ""


def _heads(statements: Sequence[ast.stmt]) -> str:
    heads = [f"`{_head(statement)}`" for statement in statements[:4]]
    if len(statements) > 4:
        heads.append(_n("{count} more", "{count} more", len(statements) - 4))
    return "; ".join(heads)


def _head(statement: ast.stmt) -> str:
    """Return the first line of a statement, cut to 80 characters."""
    line = ast.unparse(statement).split("\n")[0].replace("`", "'")
    return line if len(line) <= 80 else f"{line[:77]}..."


def judged(part: RepairPart, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
    """Return what is wrong with the function's text or its answers, or None, for each case."""
    expected = _n(
        "the given code with {count} statement changed",
        "the given code with {count} statements changed",
        part["changes"],
    )
    problem = problem_with(part.get("source") or "", part)
    found = []
    for case, outcome in zip(part["cases"], outcomes, strict=True):
        failure = odd(part, outcome, expected)
        if failure is None and problem:
            failure = Failure(_("a function that is no such repair"), expected, problem)
        found.append(failure or judge_random(part, case, outcome))
    return found
