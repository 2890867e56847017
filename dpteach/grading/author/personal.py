"""Personal exams: data for grading each student, made from the student's parameters and own seed.

For each student, the hidden cases are drawn anew for items that use a parameter and for items with
random cases (`Fresh`). There is one exception: items of the kinds attack and design without a
parameter keep the hidden cases of the class, because drawing thousands of secrets or finding the
smallest noise takes long. All other items are the same as in the exam of the class.
"""

from __future__ import annotations

import ast
import dis
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import CodeType
from typing import TypeVar

import numpy as np

import dpteach
from dpteach._language import catalog
from dpteach.grading.author.data import beside
from dpteach.grading.author.making import check_item, manual_item
from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.proof import part, proved, read_checks
from dpteach.grading.author.source import AssignmentSource, Problems, SourceError, read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.versions import Value, Version, places, used
from dpteach.grading.course.versions import Versions, recorded
from dpteach.grading.kinds.declaration import Declaration, Fresh
from dpteach.grading.kinds.registry import of_declaration
from dpteach.grading.submission.repair import released

_, _n = catalog("author")

#: how many seeds of hidden cases are tried for a student. A seed fails, for example, if neither a
#: visible case nor one drawn from it detects a mistake (a wrong implementation) of some check
DRAWS = 3

_T = TypeVar("_T")


class Personal:
    """A maker of personal exams, each of which is the data for grading one student.

    Parameters
    ----------
    path
        The text source of the assignment.
    """

    def __init__(self, path: str | Path) -> None:
        self.source = read_source(path)
        self.checks = read_checks(self.source)
        self.using = uses(self.source)
        self.templates = {
            name: text for name, text in released(self.notebook({})).items() if [*places(text)]
        }
        self.shown = used(self.templates.values())

    def values(self, rng: np.random.Generator) -> dict[str, Value]:
        """Return one student's parameters, drawn by `rng`; {} if the assignment has none."""
        declared = self.source.parameters
        return {} if declared is None else declared.drawn(rng)

    def checked(self, values: Mapping[str, Value], seed: int, *, fresh: bool = True) -> list[Item]:
        """Return the checks of a student's exam that replace those of the exam for the whole class.

        Parameters
        ----------
        values
            The student's parameters.
        seed
            The seed for the hidden cases.
        fresh
            Whether to include checks that use no parameter but whose hidden cases are drawn anew.

        Raises
        ------
        SourceError
            If the cases cannot be used, for example because no case detects one of the mistakes
            (wrong implementations) that a check declares.
        """
        source, found = self.source.version(values), []
        checks = read_checks(source)
        with beside(source.folder, source.data):
            for i, check in checks.items():
                if i in self.using or (fresh and _fresh(check)):
                    found.append(check_item(check, part(source.cells[i], check, seed)))
        return found

    def exam(self, base: Exam, version: Version, seed: int) -> Exam:
        """Return the exam, the data for grading, of a student who has a given version.

        Parameters
        ----------
        base
            The exam for the whole class. Items that are the same for all students come from it.
        version
            The student's version.
        seed
            The seed for the student's hidden cases.

        Raises
        ------
        SourceError
            If the hidden cases from this seed cannot be used (see `checked`).
        """
        found = {item.name: item for item in base.items}
        found |= {item.name: item for item in self.checked(version.values, seed)}
        source = self.source.version(version.values)
        worth = dict(items(source, self.checks))
        for cell in source.of_kind("manual"):
            found[cell.name] = manual_item(cell, worth)
        return replace(
            base,
            version=version.name,
            values=self.told(version.values),
            seed=seed,
            notebook=self.notebook(version.values) if version.values else base.notebook,
            items=tuple(found[item.name] for item in base.items),
        )

    def told(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return the parameters in `values` that the released notebook shows to the student."""
        return {name: value for name, value in values.items() if name in self.shown}

    def notebook(self, values: Mapping[str, Value]) -> str:
        """Return the instructor's notebook with these values; an empty dict keeps placeholders."""
        return notebook_text(self.source.version(values), self.checks)


def _fresh(check: Declaration) -> bool:
    """Return whether each student gets new hidden cases of a check even if it uses no parameter."""
    slow = of_declaration(check).slow
    return not slow and any(isinstance(case, Fresh) for case in check.hidden)


class OfStudents:
    """A maker of one exam per student, that is, of the data for grading this student.

    Parameters
    ----------
    path
        The text source.
    exam
        The exam for the whole class. A student's exam has new hidden cases for some of its items.
    keeper
        The secret seed, and the record of the version that each student got.
    """

    def __init__(self, path: Path, exam: Exam, keeper: Versions) -> None:
        self.keeper, self.base, self.maker = keeper, exam, Personal(path)
        sources = (exam.key, dpteach.__version__)
        self._made_of = hashlib.sha256(path.read_bytes() + repr(sources).encode()).digest()

    def has_version(self, student: str) -> bool:
        """Return whether a student got a version; True if the assignment has no parameters."""
        store = self.keeper.store
        return self.maker.source.parameters is None or recorded(store, student) is not None

    def digest(self, student: str) -> str:
        """Return a hash that changes if a student's exam changes, without making the exam."""
        seed = self.keeper.hidden_seed(student, self.base.seed)
        own = f"{version_of(self.maker, self.keeper, student).name} {seed}"
        return hashlib.sha256(self._made_of + own.encode()).hexdigest()

    def exam(self, student: str) -> Exam:
        """Return a student's exam, the data for grading the student.

        Raises
        ------
        SourceError
            If no exam can be made from the hidden cases of any of `DRAWS` seeds.
        dpteach.grading.course.folder.CourseError
            If the student got a different version before.
        """
        version = version_of(self.maker, self.keeper, student)
        make = partial(self.maker.exam, self.base, version)
        return first_made(self.keeper, student, version, self.base.seed, make)


def first_made(
    keeper: Versions, student: str, version: Version, seed: int, make: Callable[[int], _T]
) -> _T:
    """Call `make` with up to `DRAWS` seeds of a student until it succeeds, and return its result.

    Parameters
    ----------
    seed
        The seed of the hidden cases of the class; the student's seeds are derived from it.
    make
        A function of a seed, which raises `SourceError` if the hidden cases from this seed cannot
        be used.

    Raises
    ------
    SourceError
        If `make` fails with each of the first `DRAWS` seeds; the message contains the first error.
    """
    problems = []
    for attempt in range(DRAWS):
        try:
            return make(keeper.hidden_seed(student, seed, attempt))
        except SourceError as error:
            problems.append(error)
    raise SourceError(
        _(
            "no exam could be made of the version {version} ({values}): {problem}",
            version=version.name,
            values=version.text() or _("no parameters"),
            problem=problems[0],
        )
    )


def version_of(maker: Personal, keeper: Versions, student: str) -> Version:
    """Compute a student's version, record that the student got it, and return it.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If the student got a different version before.
    """
    version = keeper.named(student, maker.values(keeper.generator(student)))
    keeper.record(student, version)
    return version


def uses(assignment: AssignmentSource) -> frozenset[int]:
    """Return the indices of an assignment's check cells that use a parameter.

    Parameters are values that differ from student to student. A check uses a parameter if its code
    contains the parameter's name, or a name that a reference cell defines by code that uses the
    parameter.
    """
    used = set(assignment.values)
    codes = [
        compile(ast.Module([node], []), "", "exec")
        for cell in assignment.of_kind("reference")
        for node in ast.parse(cell.source).body
    ]
    statements = [(_named(code), _assigned(code)) for code in codes]
    before = -1
    # repeat until nothing changes, because a function may use names that are defined below it
    while before != len(used):
        before = len(used)
        used = used.union(*(defined for named, defined in statements if named & used))
    return frozenset(
        i
        for i, cell in enumerate(assignment.cells)
        if cell.kind == "check" and _named(compile(cell.source.strip(), "", "eval")) & used
    )


def _named(code: CodeType) -> set[str]:
    """Return the global names and the attributes that compiled code uses."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_named, inner))


def _assigned(code: CodeType) -> set[str]:
    """Return the global names that a compiled statement assigns, defines or imports."""
    return {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_NAME"}


def prove_versions(assignment: AssignmentSource, seeds: Sequence[int], problems: Problems) -> None:
    """Prove for one personal version per seed that its checks tell right from wrong answers.

    The proof stops after the first version with a problem, and the error shows the values of that
    version.

    Parameters
    ----------
    assignment
        An assignment whose checks `proved` has already accepted.
    problems
        The collection to which errors are added.
    """
    if assignment.parameters is None:
        return
    using = uses(assignment)
    (cell,) = assignment.of_kind("parameters")
    for seed in seeds:
        found = Problems()
        version = Version("")
        try:
            version = Version("", assignment.parameters.drawn(np.random.default_rng(seed)))
            source = assignment.version(version.values)
        except (TypeError, ValueError) as error:
            problems.found.append(cell.error(str(error)))
            return
        checks = read_checks(source, found)
        proved(source, {i: checks[i] for i in using if i in checks}, [seed], found)
        if found.found:
            where = _("in the version with {values}", values=version.text())
            problems.found += [
                SourceError(f"{error}\n  {where}", error.line) for error in found.found
            ]
            return
