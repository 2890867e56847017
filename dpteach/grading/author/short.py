"""The short form of an assignment: some of its items, and what belongs to them.

The header of a text source names the items, ``short: [three_on_paper, plan_priced]``, and
``c.Assignments.short`` in ``nbgrader_config.py``, True or a list of assignments, is the one switch.
Cells are left out where the source is read, so all that follows, from the release to the feedback,
sees a smaller assignment:

- What stands between the check of one item and that of the next, or the question that a person
  grades, belongs to the next: text, given code, solution, hints.
- A heading ``## `` begins a section, with the text down to the next cell. That belongs to all items
  of the section, and is left out with the last of them. What stands before the first section and
  below the last item stays.
- A solution stays with the last of the checks that call its functions; given code stays as long as
  a solution or given code that stays uses it; reference cells and parameters, which no student
  sees, always do.

Within a text, ``{{if NAME}}...{{else}}...{{end}}`` is for one item, ``{{if NAME NAME}}`` for as
long as one of several is there, ``{{if short}}`` and ``{{if whole}}`` for a form. What is left out,
item or function, may be named nowhere in what stays.
"""

from __future__ import annotations

import ast
import itertools
import re
import symtable
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

#: what a mark may name besides items
FORMS: Final = ("short", "whole")

_MARK = re.compile(r"\{\{(if(?: +[a-z][a-z0-9_]*)+|else|end)\}\}")
_SECTION = re.compile(r"(?m)^(?:\{\{if [^}\n]*\}\})?## (?:(\d+)\. )?")
_CODE = re.compile(r"```.*?```|`[^`\n]+`|<code>.*?</code>|\{\{points +\w+\}\}", re.DOTALL)


class MarkError(ValueError):
    """A mark that is none; `at` is its place in the text."""

    def __init__(self, text: str, at: int) -> None:
        super().__init__(text)
        self.at = at


def marked(text: str, present: Collection[str], known: Collection[str]) -> str:
    """A text with the passages of those items and forms that are there, without the marks.

    Parameters
    ----------
    present
        The items of this form, and its name.
    known
        All items.

    Raises
    ------
    MarkError
        If a mark names what is none of them, or has no beginning or end.

    Examples
    --------
    >>> marked("{{if a b}}- both{{else}}- none{{end}}.", {"b", "short"}, {"a", "b"})
    '- both.'
    """
    out, position, kept, state, opened = [], 0, True, "", 0
    for at in _MARK.finditer(text):
        out.append(text[position : at.start()] if kept else "")
        position = at.end()
        word, *names = at[1].split()
        if (word == "if") != (state == "") or (word == "else" and state == "else"):
            raise MarkError(f"{at[0]} is not expected here", at.start())
        for name in names:
            if name not in known and name not in FORMS:
                raise MarkError(f"{at[0]}: there is no item {name!r}", at.start())
        if word == "if":
            kept, opened = any(name in present for name in names), at.start()
        else:
            kept = not kept if word == "else" else True
        state = "" if word == "end" else word
    if state:
        raise MarkError(f"{{{{{state}}}}} without its {{{{end}}}}", opened)
    whole = "".join([*out, text[position:]])
    return re.sub(r"\n{3,}", "\n\n", whole).strip("\n") if "short" in present and out else whole


@dataclass(frozen=True)
class Part:
    """What the filter needs to know of a cell; of a cell that is not Python, the names are empty.

    Attributes
    ----------
    kind, text, code
        As they are in the text source; whether it is code.
    item
        The item of a check, or of a question for a person.
    call
        The function that a check calls.
    defines, imports, uses
        The names that code defines for other cells, those that it imports for them, and those that
        it takes from them.
    """

    kind: str
    text: str
    code: bool = False
    item: str = ""
    call: str = ""
    defines: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()

    @property
    def section(self) -> re.Match[str] | None:
        """Whether a section begins with it; the first group is its number."""
        return None if self.code or self.kind else _SECTION.search(self.text)


@dataclass(frozen=True)
class Form:
    """Which cells of an assignment there are in one of its forms.

    Attributes
    ----------
    short
        Whether it is the short form.
    items
        All items of the assignment, in order.
    present
        Those of this form.
    left_out
        The cells that are not in it.
    names
        What may not be named in it: items, and functions that are not there.
    sections
        The numbers of the sections that are not there.
    unmarked
        Sections whose first item is left out, and whose text has no mark.
    homeless
        Items above the first section, whose text cannot be told from the beginning.
    """

    short: bool
    items: tuple[str, ...]
    present: frozenset[str]
    left_out: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()
    unmarked: frozenset[int] = frozenset()
    homeless: frozenset[int] = frozenset()

    def text(self, raw: str) -> str:
        """The text of a cell in this form.

        Raises
        ------
        MarkError
            If one of its marks is none.
        """
        form = "short" if self.short else "whole"
        return marked(raw, {*self.present, form}, self.items)

    def dangling(self, kind: str, text: str) -> Iterator[tuple[str, int]]:
        """What a cell names that is not there, and on which of its lines, from 0."""
        if kind in ("reference", "parameters"):
            return
        if kind == "check":  # of its code only what is told, not what it calls
            for node in _nodes(text):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    told = f"`{node.value}`" if node.value in self.names else node.value
                    for name, _ in self.dangling("", told):
                        yield name, node.lineno - 1
            return
        spans = [(at.start(), at.end()) for at in _CODE.finditer(text)]
        taken = uses(text) if kind in ("given", "solution") else frozenset()
        for name in sorted(self.names):
            places = [
                at.start()
                for at in re.finditer(rf"\b{name}\b", text)
                if "_" in name or name in taken or any(a <= at.start() < b for a, b in spans)
            ]
            if places:
                yield repr(name), text.count("\n", 0, places[0])
        for number in sorted(self.sections):
            if at := re.search(rf"\b([Pp]art|[Ss]ection)s?( \d+,?| and)* {number}\b", text):
                yield at[0], text.count("\n", 0, at.start())


def form_of(parts: Sequence[Part], chosen: Sequence[str] | None) -> Form:
    """The whole form, or the short one.

    Parameters
    ----------
    parts
        The cells of the assignment.
    chosen
        The items of the short form; None: the whole one.
    """
    items = tuple(part.item for part in parts if part.item)
    if chosen is None:
        return Form(False, items, frozenset(items))
    present = frozenset(chosen) & frozenset(items)
    owners, sections = _owners(parts)
    called = {part.call for part in parts if part.item in present and part.call}
    stay = {*present, ""}
    for part, owner in zip(parts, owners, strict=True):
        if part.kind == "solution" and part.defines & called:
            stay.add(owner)
    left = set()
    for i, (part, owner, section) in enumerate(zip(parts, owners, sections, strict=True)):
        whole = {other for other, at in zip(owners, sections, strict=True) if at == section}
        gone = owner not in stay if owner else section >= 0 and not whole & (stay - {""})
        if part.kind in ("reference", "parameters"):
            gone = False
        elif part.item:
            gone = part.item not in present
        if gone:
            left.add(i)
    while used := {
        i
        for i in left
        if parts[i].kind == "given"
        and any(
            (parts[i].defines | parts[i].imports) & part.uses
            for j, part in enumerate(parts)
            if j not in left and part.kind in ("given", "solution", "")
        )
    }:
        left -= used
    told = {
        name
        for i in left
        for name in parts[i].defines
        if parts[i].kind == "solution" or (parts[i].kind == "given" and "_" in name)
    }
    unmarked = {
        i
        for i, part in enumerate(parts)
        if part.section
        and i not in left
        and i + 1 < len(parts)
        and owners[i + 1] not in stay
        and not _MARK.search(part.text)
    }
    numbers = {
        part.section[1] for i, part in enumerate(parts) if i in left and part.section is not None
    }
    return Form(
        True,
        items,
        present,
        frozenset(left),
        frozenset({*items} - present | told),
        frozenset(number for number in numbers if number),
        frozenset(unmarked),
        frozenset(i for i, part in enumerate(parts) if part.item and sections[i] < 0),
    )


def _owners(parts: Sequence[Part]) -> tuple[list[str], list[int]]:
    """To which item each cell belongs, "" if to none, and in which section it is.

    The section is that of its heading's place; -1 before the first one and below the last item.
    """
    sections, section = [], -1
    for i, part in enumerate(parts):
        section = i if part.section else section
        sections.append(section)
    owners, owner = [""] * len(parts), ""
    for i in range(len(parts) - 1, -1, -1):
        if i + 1 < len(parts) and sections[i + 1] != sections[i]:
            owner = ""
        owner = parts[i].item or owner
        if not parts[i].section and sections[i] >= 0:
            owners[i] = owner
    last = max((i for i, part in enumerate(parts) if part.item), default=-1)
    return owners, [-1 if i > last else at for i, at in enumerate(sections)]


def part_of(cell_type: str, options: Mapping[str, Any], text: str) -> Part:
    """What the filter needs to know of a cell with these options and this text."""
    kind, code = str(options.get("kind", "")), cell_type == "code"
    if kind == "manual":
        return Part(kind, text, code, item=str(options.get("name", "")))
    if not code or kind in ("reference", "parameters"):
        return Part(kind, text, code)
    if kind != "check":
        defines, imports = _defines(text)
        return Part(kind, text, code, defines=defines, imports=imports, uses=uses(text))
    told = {
        word.arg: word.value.value
        for node in _nodes(text)[:3]
        if isinstance(node, ast.Call)
        for word in node.keywords
        if isinstance(word.value, ast.Constant)
    }
    return Part(kind, text, code, item=str(told.get("name", "")), call=str(told.get("call", "")))


def pieces(text: str) -> Iterator[tuple[str, int]]:
    """A text cut above each of its sections, with the line on which each piece begins, from 0."""
    starts = [at.start() for at in _SECTION.finditer(text) if text[: at.start()].strip()]
    for start, end in itertools.pairwise([0, *starts, len(text)]):
        yield text[start:end].rstrip("\n"), text.count("\n", 0, start)


def _nodes(text: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return []


def _defines(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that code defines at its top level, and those that it imports there."""
    found, imported = set(), set()
    for node in ast.parse(text).body if _nodes(text) else ():
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        for one in ast.walk(node):
            if isinstance(one, ast.alias):
                imported.add((one.asname or one.name).partition(".")[0])
            elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                found.add(one.id)
    return frozenset(found), frozenset(imported)


def uses(text: str) -> frozenset[str]:
    """The names that code takes from outside of its functions."""
    try:
        top = symtable.symtable(text, "", "exec")
    except SyntaxError:
        return frozenset()

    def taken(table: symtable.SymbolTable) -> Iterator[str]:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                yield symbol.get_name()
        for child in table.get_children():
            yield from taken(child)

    return frozenset(taken(top))
