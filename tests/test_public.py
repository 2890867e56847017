"""Tests that each public docstring describes all parameters and has an example.

The description of a number must state its range, and the example must print a number. Facts that
hold for the whole library are stated once, in ``book/reference.md``, and are not repeated in
docstrings.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dpteach
from dpteach.mechanisms import Theorem

#: public objects whose examples need no number, for example because they return text
WITHOUT_NUMBERS = (
    dpteach.Adjacency,
    dpteach.filters.BudgetExceeded,
    dpteach.conversions.table,
    dpteach.conversions.Edge,
    dpteach.conversions.Edge.parameters,
    Theorem,
)
REFERENCE = Path(__file__).parents[1] / "book" / "reference"
#: the modules of teaching tools, which these tests leave out because the book and CONTRIBUTING
#: explain them
APART = {"demos", "figures", "widgets", "grading", "cli", "serve"}


def modules() -> list[Any]:
    return [
        importlib.import_module(f"dpteach.{module.name}")
        for module in pkgutil.iter_modules(dpteach.__path__)
        if not module.name.startswith("_") and module.name not in APART
    ]


def members() -> Iterator[tuple[str, Any, str]]:
    """Yield name, object and docstring of each public function, class, method and property."""
    seen: set[int] = set()
    for module in (dpteach, *modules()):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if not (inspect.isclass(value) or inspect.isfunction(value)) or id(value) in seen:
                continue
            seen.add(id(value))
            yield f"{value.__module__}.{name}", value, value.__doc__ or ""
            if not inspect.isclass(value):
                continue
            # look at the base classes, too: a public class may inherit public methods from a
            # private one
            for kind in value.__mro__:
                if not kind.__module__.startswith("dpteach") or (
                    kind is not value and id(kind) in (seen)
                ):
                    continue
                for attribute, raw in vars(kind).items():
                    if attribute.startswith("_") or id(raw) in seen:
                        continue
                    function = getattr(raw, "__func__", raw)
                    if inspect.isfunction(function) or isinstance(raw, property):
                        seen.add(id(raw))
                        name = f"{kind.__module__}.{kind.__name__}.{attribute}"
                        yield (
                            name,
                            raw if isinstance(raw, property) else function,
                            said(kind, attribute),
                        )


def said(kind: type, name: str) -> str:
    """Return a method's docstring, followed by those of the methods that it overrides."""
    docs = [vars(base)[name].__doc__ for base in kind.__mro__ if name in vars(base)]
    return "\n\n".join(inspect.cleandoc(doc) for doc in docs if doc)


MEMBERS = list(members())
every_member = pytest.mark.parametrize(
    ("name", "value", "doc"), [pytest.param(*m, id=m[0].removeprefix("dpteach.")) for m in MEMBERS]
)


def section(doc: str, title: str) -> str | None:
    """Return the text below each heading `title` in a numpydoc docstring; None if there is none."""
    found = re.findall(
        rf"^{title}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}\n|\Z)", inspect.cleandoc(doc), re.M | re.S
    )
    return "\n".join(found) if found else None


def taken(value: Any) -> list[str]:
    """Return the names of the parameters of a function or a class."""
    if isinstance(value, property) or (inspect.isclass(value) and inspect.isabstract(value)):
        return []
    try:
        found = inspect.signature(value).parameters.values()
    except ValueError:  # an enumeration has no signature
        return []
    return [
        {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        for p in found
        if p.name not in ("self", "cls")
    ]


def entries(text: str) -> dict[str, str]:
    """Return, by name, the type and the description of each entry of a numpydoc section."""
    found = re.findall(r"^(\S[^:\n]*?)((?: : .*)?$(?:\n[ ]+.*|\n(?=\s))*)", text, re.M)
    return {name.strip(): words for names, words in found for name in names.split(",")}


def documented(doc: str, title: str = "Parameters") -> dict[str, str]:
    return entries(section(doc, title) or "")


def shared(value: Any) -> dict[str, str]:
    """Return the parameters that the module's docstring describes for all its functions."""
    module = inspect.getmodule(value)
    told = entries((module and module.__doc__) or "")
    return {name: words for name, words in told.items() if words.startswith(" : ")}


@every_member
def test_has_an_example_with_a_number(name: str, value: Any, doc: str) -> None:
    assert doc, "no docstring"
    if value in WITHOUT_NUMBERS:
        return
    examples = doctest.DocTestParser().get_examples(inspect.cleandoc(doc))
    assert examples, "no doctest"
    assert section(doc, "Examples") or isinstance(value, property), "no section Examples"
    answers = "".join(example.want for example in examples)
    words = "".join(example.source for example in examples)
    assert re.search(r"\d|inf|True|False", answers), f"no number in {answers!r} of {words!r}"


@every_member
def test_parameters_are_those_of_the_signature(name: str, value: Any, doc: str) -> None:
    if value is dpteach.Adjacency or re.search(r"are those of\s+`", doc):
        # skip `Adjacency`, which has no parameters, and docstrings that refer to a function with
        # the same parameters
        return
    parameters = taken(value)
    told = [*documented(doc), *shared(value)]
    if inspect.isclass(value):
        told += documented(doc, "Attributes")
    # for classes, the parameter `adjacency` is documented only once, in the base class
    wanted = [p for p in parameters if p != "adjacency" or not inspect.isclass(value)]
    if section(doc, "Parameters") is None and len(wanted) <= 1 and not inspect.isclass(value):
        return  # the summary line describes a single parameter
    assert [p for p in wanted if p not in told] == []
    assert [p for p in documented(doc) if p not in parameters] == []


#: matches words that state a range, such as "at least", "in [0, 1]", "finite" or "probability"
RANGE = re.compile(
    r"[<>]|\b[Ii]n [\[({]|\{|[Ff]inite|[Aa]t (least|most)|\b[Ff]rom\b|\b[Aa]ny\b|[Pp]robabilit"
)


@every_member
def test_ranges_are_told(name: str, value: Any, doc: str) -> None:
    """The description of each numerical parameter in a docstring states the parameter's range."""
    if section(doc, "Raises") or (inspect.isclass(value) and not hasattr(value, "__post_init__")):
        # skip functions whose section Raises states the ranges, and classes that check no values
        return
    parameters = taken(value)
    told = shared(value) | documented(doc)
    if section(doc, "Parameters") is None and len(parameters) == 1 and inspect.isfunction(value):
        summary = re.split(r"^\S[^\n]*\n-{3,}\n", inspect.cleandoc(doc), flags=re.M)[0]
        kind = inspect.signature(value).parameters[parameters[0].strip("*")].annotation
        told.setdefault(parameters[0], f" : {kind}\n{summary}")
    numbers = [name for name, words in told.items() if re.match(r" : .*\b(float|int)\b", words)]
    assert [x for x in numbers if x in parameters and not RANGE.search(told[x])] == []


#: matches statements that hold for all functions, so only `book/reference.md` may make them
SAID_ONCE = re.compile(
    r"outside (its|their) range|of another type|rng is not|not a finite number|anything but finite"
    r"|is NaN|or not a number|only source of randomness"
)


@every_member
def test_says_what_is_special(name: str, value: Any, doc: str) -> None:
    assert SAID_ONCE.findall(" ".join((value.__doc__ or "").split())) == []


def test_every_name_has_its_place_in_the_reference() -> None:
    text = "".join(page.read_text("utf-8") for page in sorted(REFERENCE.glob("*.md")))
    there = set(re.findall(r"auto(?:class|module|function):: dpteach\.(\w+)", text))
    whole = {
        name
        for module in modules()
        if module.__name__.removeprefix("dpteach.") in there
        for name in getattr(module, "__all__", ())
    }
    missing = [
        name
        for name in dpteach.__all__
        if name not in there | whole and not inspect.ismodule(getattr(dpteach, name))
    ]
    missing += [
        name
        for name in dpteach.__all__
        if inspect.ismodule(getattr(dpteach, name)) and name not in there
    ]
    assert not missing, f"a page of book/reference must have {missing}"


def test_public_modules_name_what_is_public() -> None:
    for module in modules():
        if hasattr(module, "__all__"):
            assert list(module.__all__) == sorted(
                module.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n)
            ), module.__name__
            assert all(hasattr(module, name) for name in module.__all__)
