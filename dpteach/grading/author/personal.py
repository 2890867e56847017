"""Personal versions of an exam: what of it follows from a student's parameters and own seed.

Drawn for each student are the items that use a parameter, and those with cases that are drawn
fresh. Attacks and designs that use no parameter have the same hidden cases for all of a class: to
draw thousands of secrets, or to find the least noise, takes long. All else is that of the class's
exam, too.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import CodeType

import numpy as np

import dpteach
from dpteach.grading.author.data import beside
from dpteach.grading.author.making import check_item, ending_of, manual_item
from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.proof import part, proved, read_checks
from dpteach.grading.author.source import AssignmentSource, Problems, SourceError, read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.versions import Value, Version, places, used
from dpteach.grading.course.versions import Versions, recorded
from dpteach.grading.kinds.declaration import Declaration, Fresh
from dpteach.grading.kinds.registry import of_declaration
from dpteach.grading.submission.repair import released

#: how many seeds are tried for hidden cases that tell all mistakes
DRAWS = 3


class Personal:
    """Makes the items and exams of students, one after the other.

    Parameters
    ----------
    path
        The text source.
    """

    def __init__(self, path: str | Path) -> None:
        self.source = read_source(path)
        self.checks = read_checks(self.source)
        self.using = uses(self.source)
        self.ending = ending_of(self.source, path)
        self.templates = {
            name: text for name, text in released(self.notebook({})).items() if [*places(text)]
        }
        self.shown = used(self.templates.values())

    def values(self, rng: np.random.Generator) -> dict[str, Value]:
        """The parameters of a student; none if there are none."""
        declared = self.source.parameters
        return {} if declared is None else declared.drawn(rng)

    def checked(self, values: Mapping[str, Value], seed: int, *, fresh: bool = True) -> list[Item]:
        """The checks that differ for a student.

        Parameters
        ----------
        values
            The student's parameters.
        seed
            From which the hidden cases are drawn.
        fresh
            Whether those without parameters count that have other hidden cases.

        Raises
        ------
        SourceError
            If what was drawn is no exam, such as where no case tells a mistake.
        """
        source, found = self.source.version(values), []
        checks = read_checks(source)
        with beside(source.folder, source.data):
            for i, check in checks.items():
                if i in self.using or (fresh and _fresh(check)):
                    found.append(check_item(check, part(source.cells[i], check, seed)))
        return found

    def exam(self, base: Exam, version: Version, seed: int) -> Exam:
        """The exam of a student.

        Parameters
        ----------
        base
            That of the class.
        version
            The student's.
        seed
            From which the student's hidden cases are drawn.

        Raises
        ------
        SourceError
            As `checked`.
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
        """The values that a student may read: those that stand in the release."""
        return {name: value for name, value in values.items() if name in self.shown}

    def notebook(self, values: Mapping[str, Value]) -> str:
        """The instructor's notebook with these values; with names in their place if none."""
        return notebook_text(self.source.version(values), self.checks, self.ending)


def _fresh(check: Declaration) -> bool:
    slow = of_declaration(check).slow
    return not slow and any(isinstance(case, Fresh) for case in check.hidden)


class OfStudents:
    """The exams of the students of a course.

    Parameters
    ----------
    path
        The text source.
    exam
        The exam of the class.
    keeper
        The seed, and who got which version.
    """

    def __init__(self, path: Path, exam: Exam, keeper: Versions) -> None:
        self.keeper, self.base, self.maker = keeper, exam, Personal(path)
        told = (exam.key, dpteach.__version__)
        self._made_of = hashlib.sha256(path.read_bytes() + repr(told).encode()).digest()

    def handed_out(self, student: str) -> bool:
        """Whether a student got a version, or has none to get."""
        store = self.keeper.store
        return self.maker.source.parameters is None or recorded(store, student) is not None

    def digest(self, student: str) -> str:
        """Fingerprint of all that a student's exam follows from: it need not be made for that."""
        seed = self.keeper.hidden_seed(student, self.base.seed)
        own = f"{version_of(self.maker, self.keeper, student).name} {seed}"
        return hashlib.sha256(self._made_of + own.encode()).hexdigest()

    def exam(self, student: str) -> Exam:
        """A student's exam.

        Raises
        ------
        SourceError
            If none of three draws of hidden cases is one.
        dpteach.grading.course.folder.CourseError
            If another version was recorded.
        """
        version = version_of(self.maker, self.keeper, student)
        problems = []
        for attempt in range(DRAWS):
            seed = self.keeper.hidden_seed(student, self.base.seed, attempt)
            try:
                return self.maker.exam(self.base, version, seed)
            except SourceError as error:
                problems.append(error)
        raise SourceError(
            f"the version {version.name} ({version.text() or 'no parameters'}) is no exam: "
            f"{problems[0]}"
        )


def version_of(maker: Personal, keeper: Versions, student: str) -> Version:
    """A student's version, which is recorded.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If another one was recorded.
    """
    version = keeper.named(student, maker.values(keeper.generator(student)))
    keeper.record(student, version)
    return version


def uses(assignment: AssignmentSource) -> frozenset[int]:
    """Return the places of the check cells that use a parameter, as far as the names tell that the
    code uses: directly, or through what reference cells define.
    """
    used = set(assignment.values)
    statements = [
        (_named(compile(ast.Module([node], []), "", "exec")), _defined(node))
        for cell in assignment.of_kind("reference")
        for node in ast.parse(cell.source).body
    ]
    before = -1
    while before != len(used):  # a function may use what is defined below it
        before = len(used)
        used = used.union(*(defined for named, defined in statements if named & used))
    return frozenset(
        i
        for i, cell in enumerate(assignment.cells)
        if cell.kind == "check" and _named(compile(cell.source.strip(), "", "eval")) & used
    )


def _named(code: CodeType) -> set[str]:
    """The names that code takes from outside of its functions, or gives there."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_named, inner))


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    stored = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
    aliases = (one for one in ast.walk(node) if isinstance(one, ast.alias))
    return {*stored, *((one.asname or one.name).partition(".")[0] for one in aliases)} - {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }


def prove_versions(assignment: AssignmentSource, seeds: Sequence[int], problems: Problems) -> None:
    """Tries versions, one for each of the seeds: their checks must be checks as well.

    What is wrong with one is told with its values; the others are then left out.

    Parameters
    ----------
    assignment
        One whose own values hold.
    problems
        Takes what does not hold.
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
            problems.found += [
                SourceError(f"{error}\n  with {version.text()}", error.line)
                for error in found.found
            ]
            return
