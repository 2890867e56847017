"""The grading of one submission: a pure function of the exam, the submitted files and the limits.

The exam is the data by which submissions are graded. The student's cells run in a kernel in the
sandbox, in order. In place of each check cell the grader asks the kernel to call the student's
function on the visible cases, and to remember the function. After the last cell has run and its
outputs are recorded, the grader asks the kernel to call the functions on the hidden cases. Of the
answers to hidden cases, the grader shows only the verdict.

For two kinds of exercises, the student's functions are called in separate processes
(module `sandbox.alone`). If the exercise is to write a test that recognizes wrong implementations
of a function, the test judges each implementation in a new process, so that it cannot compare them.
If the exercise is to repair a broken function, the process holds only this function and the
instructor's cells above it, so that no other cell of the student can replace the function.

If a cell ends the kernel, or a function does so when it is called, only this cell's or function's
points are lost, because a new kernel runs the notebook without it; there are at most `RESTARTS` new
kernels. A new kernel may also leave out cells that the student added, if they are slow or below the
last graded cell, to save time. Functions that took too long or ended a kernel are *suspects*: they
are called after all other functions, so that enough time is left for the others.

If an item is not right and builds on an earlier item that is not right either, it is graded again
with the instructor's function in place of the earlier item's (`lending`). From this second grading,
the grader keeps only the points.
"""

from __future__ import annotations

import contextlib
import functools
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dpteach._language import catalog, speaking
from dpteach.grading.classroom.lending import prerequisites, with_lent_functions
from dpteach.grading.classroom.shown import check_outputs, cut_sources, stream, with_outputs
from dpteach.grading.core import harmless
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.observe import BUSY
from dpteach.grading.core.reasons import reason_of
from dpteach.grading.core.receipt import label_of, name_of, nested, role_of
from dpteach.grading.core.result import ItemResult, Notice, Result, graded_by
from dpteach.grading.core.specification import Part
from dpteach.grading.course.submitting import is_last_cell
from dpteach.grading.judging.credit import by_share, credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import (
    asked_alone,
    one_by_one,
    patience,
    questions,
    replier,
)
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.kind import Witness
from dpteach.grading.kinds.registry import of_part
from dpteach.grading.sandbox.alone import Alone
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import KernelGoneError, Sandbox
from dpteach.grading.submission.intake import fingerprint, intake
from dpteach.grading.submission.repair import has_stub, is_unanswered

_, _n = catalog("classroom")

#: the largest number of new kernels that are started for a submission, in place of kernels that a
#: cell or a function has ended
RESTARTS: Final = 3

#: the largest share of a submission's time that calls of suspects (functions that took too long or
#: ended a kernel) may use
SUSPECTS_SHARE: Final = 0.4

#: a cell that the student added is slow if it takes at least `SLOW_SECONDS`. In each kernel after
#: the first one, slow cells may use the share `SLOW_SHARE` of the kernel's seconds
SLOW_SECONDS: Final = 1.0
SLOW_SHARE: Final = 0.25

#: an item that builds on a wrong earlier item is graded again, with the instructor's function for
#: the earlier one. Each such grading may take this share of a submission's time; none begins after
#: all of them together have taken this share
AGAIN_SHARE: Final = 0.5

#: some checks call the student's function in separate processes and not in the kernel. Together,
#: these checks may take this share of a submission's time
ALONE_SHARE: Final = 0.5

#: a new kernel is started only if at least this number of seconds is left for the submission
_START_SECONDS = 3.0

#: the time limit, in seconds, for the kernel to find a student's function and store it for calls
#: on the hidden cases
_REMEMBER_SECONDS = 10.0

#: the largest number of characters that are shown of the text that a student's function prints
_PRINTED_CHARACTERS = 2_000

#: the largest number of notices about cells that raised an error, ended the kernel or were left
#: out; further notices are dropped
_MOST_NOTICES = 20


def grade_submission(
    exam: bytes,
    files: Mapping[str, bytes],
    limits: Limits,
    *,
    unsafe: bool = False,
    items: Sequence[str] | None = None,
) -> bytes:
    """Grade a submission and return the result as bytes.

    Parameters
    ----------
    exam
        The exam, that is, the data for grading (`dpteach.grading.core.exam.Exam.to_bytes`).
    files
        The submitted files (`dpteach.grading.submission.intake.read_submission`).
    limits
        The limits of each kernel; ``wall_seconds`` limits the whole submission.
    unsafe
        Whether to run the student's code without a sandbox.
    items
        The names of the items to grade, or None for all items. The result contains only the named
        items, with the same points as in the result for all items.

    Returns
    -------
    bytes
        A `dpteach.grading.core.result.Result`, which contains no time, path or student.

    Raises
    ------
    ValueError
        If `items` names an item that the exam does not have, or `exam` is not an exam.
    dpteach.grading.sandbox.sandbox.SandboxMissingError
        If there is no sandbox and `unsafe` is false.
    RuntimeError
        If the sandbox does not start.
    """
    known = _parsed(exam)
    names = [item.name for item in known.items]
    for name in items or ():
        if name not in names:
            raise ValueError(f"items must be among {', '.join(names)}, got {name!r}")
    with speaking(known.language):
        return _graded(known, files, limits, unsafe, items)


def _graded(
    known: Exam,
    files: Mapping[str, bytes],
    limits: Limits,
    unsafe: bool,
    items: Sequence[str] | None,
) -> bytes:
    """Grade a submission as `grade_submission` does, with messages in the current language."""
    wanted = [item for item in known.items if items is None or item.name in items]
    taken = intake(files, known)
    result = Result(
        assignment=known.assignment,
        seed=known.seed,
        submission=fingerprint(files),
        instructor=known.instructor,
        program=graded_by(),
        sandbox="none" if unsafe else "bubblewrap",
        status="refused",
        notices=taken.notices,
        items=tuple(_item(item, score=0.0, reason="missing") for item in wanted),
        notebook="",
        version=known.version,
    )
    if taken.notebook is None:
        return result.to_bytes()
    uses = prerequisites(known)
    needed = {item.name for item in wanted}
    needed |= {name for item in wanted for name in uses.get(item.name, ())}
    asked = [item for item in known.items if item.name in needed]
    session = _Session(taken.notebook["cells"], asked, limits, unsafe, known.data())
    session.run()
    lent = _credited_by_lending(known, session, uses)
    graded = tuple(
        replace(session.result(item), uses=uses.get(item.name, ()), **lent.get(item.name, {}))
        for item in wanted
    )
    solutions = {
        cell.name: harmless.clean(cell.source, harmless.CODES_CHARACTERS)
        for cell in session.cells
        if cell.role in ("solution", "manual") and cell.is_code
    }
    shown = {
        item.name: check_outputs(item, check.visible, check.hidden, check.printed)
        for item in graded
        if (check := session.checks.get(item.name))
    }
    outputs = {cell.index: cell.outputs for cell in session.cells if cell.outputs is not None}
    notices = (*taken.notices, *session.notices(), *cut_sources(taken.notebook["cells"]))
    result = replace(
        result,
        status="graded",
        notices=notices,
        items=graded,
        solutions=solutions,
        notebook=with_outputs(taken.notebook, outputs, shown),
    )
    return result.bounded().to_bytes()


@functools.lru_cache(maxsize=1)
def _parsed(exam: bytes) -> Exam:
    """Return the exam in these bytes; it is cached for all submissions, so do not change it."""
    return Exam.from_bytes(exam)


def _item(item: Item, **found: Any) -> ItemResult:
    """Return the result of an item; `found` has the fields that `item` does not determine."""
    about = (item.name, item.kind, item.points, item.book, item.key)
    return ItemResult(*about, scheme=item.scheme, **found)


def _credited_by_lending(
    exam: Exam, session: _Session, uses: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """Return the items that earn more points with the instructor's functions for earlier items.

    Each item gets a sandbox of its own, so its points do not depend on which other items are graded
    again.

    Parameters
    ----------
    uses
        The earlier items on which each item builds (`prerequisites`).

    Returns
    -------
    dict
        For the name of each such item, a dict with two entries: ``score``, its points, and
        ``given``, the names of the earlier items that the student should correct.
    """
    found: dict[str, dict[str, Any]] = {}
    limits = replace(session.limits, wall_seconds=AGAIN_SHARE * session.limits.wall_seconds)
    end = time.monotonic() + limits.wall_seconds
    below_full = {name for name, check in session.checks.items() if check.score < check.item.points}
    for name, check in session.checks.items():
        item = check.item
        wrong = [one for one in uses[name] if one in below_full]
        if name not in below_full or not wrong or not session.is_written(item):
            continue
        if time.monotonic() > end:
            break
        cells = with_lent_functions(session.contents, exam, item, wrong)
        again = _Session(cells, [item], limits, session.unsafe, session.data)
        again.run()
        # keep only the score, because any text from this session could contain the instructor's
        # code
        score = again.checks[name].score
        if score > check.score:
            full = {one for one in found if found[one]["score"] == session.checks[one].item.points}
            # an earlier item that itself becomes right with the instructor's functions need not be
            # corrected
            roots = [session.checks[one].item for one in wrong if one not in full]
            found[name] = {"score": score, "given": _to_mend(item, roots)}
    return found


def _to_mend(item: Item, roots: Sequence[Item]) -> tuple[str, ...]:
    """Return the names of the earlier items that a student should correct to get `item` right.

    Parameters
    ----------
    roots
        The earlier items that are wrong. All of them are returned, with one exception: if several
        check the same function, and `item` declares only some of these in ``builds_on``, the others
        are left out.
    """
    assert item.visible is not None
    declared = [one for one in roots if one.name in item.visible["builds_on"]]
    about = {one.call for one in declared}
    return tuple(one.name for one in roots if one in declared or one.call not in about)


@dataclass(eq=False)
class _Cell:
    """A cell of the submitted notebook with the outcome of running it.

    Attributes
    ----------
    index, content
        The cell's position in the notebook, and its content as nbformat has it.
    outputs
        The outputs of the cell's first run, or a sentence on why the cell was ended; None if it
        never ran.
    seconds
        For a cell that the student added, the seconds that its last run took. For a named cell of
        the assignment 0, because such a cell is never left out to save time.
    problem
        The error that the cell raised, or the reason why it ended the kernel; "" if neither
        happened.
    fatal
        Whether the cell ended the kernel.
    left_out
        Whether a later kernel left the cell out to save time.
    """

    index: int
    content: Any
    outputs: list[dict[str, Any]] | None = None
    seconds: float = 0.0
    problem: str = ""
    fatal: bool = False
    left_out: bool = False

    def __post_init__(self) -> None:
        self.name, self.role = name_of(self.content), role_of(self.content)
        self.source: str = self.content["source"]
        self.is_code = self.content["cell_type"] == "code"

    def end(self, gone: str) -> None:
        """Record that the cell ended the kernel; `gone` names the reason (`core.reasons`)."""
        self.problem, self.fatal = reason_of(gone).clause, True
        self.outputs = [stream(_("The cell was ended: {reason}.", reason=self.problem) + "\n")]

    def defines(self, function: str) -> bool:
        """Return whether a line of the cell begins to define a function, or assigns its name."""
        name = re.escape(function)
        pattern = rf"(?m)^(?:(?:async[ \t]+)?def[ \t]+{name}\b|{name}\s*=)"
        return function in self.source and re.search(pattern, self.source) is not None


@dataclass(eq=False)
class _Check:
    """A check with the verdicts on the student's function so far.

    Attributes
    ----------
    item
        The item of the assignment.
    visible, hidden
        The verdicts on the visible and on the hidden cases; None until these cases are judged.
    reason
        The name of the reason why the function cannot be judged (`core.reasons`), or "".
    printed
        The text that the function printed on the visible cases.
    lacks_name
        Whether the function raised a NameError on a visible case.
    """

    item: Item
    visible: Verdict | None = None
    hidden: Verdict | None = None
    reason: str = ""
    printed: str = ""
    lacks_name: bool = False

    def part(self, hidden: bool) -> Part[Any]:
        """Return the data of the check's hidden cases, or of its visible cases."""
        part = self.item.hidden if hidden else self.item.visible
        assert part is not None
        return part

    def needs(self, *, hidden: bool) -> bool:
        """Return whether the visible (or hidden) cases must still be judged.

        Hidden cases are judged after the visible cases. If the visible cases failed, the hidden
        cases are judged only if they can earn partial credit.
        """
        if self.reason or (self.hidden if hidden else self.visible) is not None:
            return False
        if not hidden:
            return True
        if self.visible is None or self.item.hidden is None:
            return False
        return self.visible.passed or by_share(self.item.hidden)

    @property
    def is_open(self) -> bool:
        """Whether visible or hidden cases must still be judged."""
        return self.needs(hidden=False) or self.needs(hidden=True)

    @property
    def score(self) -> float:
        """The points that the verdicts so far give."""
        return 0.0 if self.reason else credit(self.item, self.visible, self.hidden)

    def end(self, gone: str) -> None:
        """Record that the function ended the kernel; `gone` names the reason (`core.reasons`)."""
        self.reason = gone

    def is_remembered(self, reply: object) -> bool:
        """Return whether the kernel's reply says that it has found and stored the function.

        If the kernel has not stored the function, the attribute `reason` is set.
        """
        found = nested(reply, "known")
        if found == "function":
            return True
        self.reason = "missing" if found in ("missing", "uncallable") else "broken"
        return False

    def record(
        self, part: Part[Any], outcomes: object, printed: object, witness: Witness = ()
    ) -> None:
        """Store the verdict on the outcomes of `part`; for visible cases, also store `printed`."""
        verdict = judge(part, outcomes, witness)
        if part["hidden"]:
            self.hidden = verdict
        else:
            self.visible = verdict
            self.lacks_name = "NameError" in _values(outcomes, "raises")
            self.printed = harmless.clean(printed, _PRINTED_CHARACTERS)


@dataclass
class _Session:
    """The grading of one submission's cells, which `run` carries out.

    Attributes
    ----------
    contents
        The notebook's cells.
    items
        The items to grade.
    limits, unsafe
        As for `grade_submission`.
    data
        The assignment's data files.
    suspects, suspects_seconds
        The functions that took too long or ended a kernel, and the seconds that later calls of
        these functions have taken.
    excused
        The cells, and the visible or hidden cases of checks, that were running when the time ran
        out, but had used less than half of their own limit. Each is excused only once: if it ends
        a kernel again, for whatever reason, it is blamed.
    restarts, gone
        How many kernels have ended early, and the name of the reason why the last of them ended.
    truncated
        Whether cells printed more than is kept.
    """

    contents: Sequence[Any]
    items: Sequence[Item]
    limits: Limits
    unsafe: bool
    data: Mapping[str, bytes]
    suspects: set[str] = field(default_factory=set)
    suspects_seconds: float = 0.0
    excused: set[tuple[_Cell | _Check, bool]] = field(default_factory=set)
    restarts: int = 0
    gone: str = "spent"
    truncated: bool = False

    def __post_init__(self) -> None:
        self.cells = [_Cell(i, content) for i, content in enumerate(self.contents)]
        self.named = {cell.name: cell for cell in self.cells if cell.name}
        self.checks = {item.name: _Check(item) for item in self.items if item.kind == "check"}
        self.together = [one for one in self.checks.values() if not asked_alone(one.item)]
        graded = [cell.index for cell in self.cells if cell.role in ("check", "manual")]
        self.last_graded = max(graded, default=-1)
        self.end = 0.0

    def run(self) -> None:
        """Run the notebook's cells and judge all checks among the items."""
        if self.checks or any(self.named[item.name].is_code for item in self.items):
            self._run_kernels()
        alone = [check for check in self.checks.values() if check not in self.together]
        if alone:
            limits = replace(self.limits, wall_seconds=ALONE_SHARE * self.limits.wall_seconds)
            with Alone(limits, unsafe=self.unsafe, data=self.data) as sandbox:
                for check in alone:
                    self._ask_parts_alone(sandbox, check)

    def _run_kernels(self) -> None:
        """Run the notebook in one kernel after another, until all checks are judged or time is up.

        Checks whose functions run in separate processes are not judged here.
        """
        latest = 0.0
        while self.restarts <= RESTARTS:
            left = self.end - time.monotonic() if self.restarts else self.limits.wall_seconds
            if left < _START_SECONDS and self.restarts:
                self.gone = "spent"
                break
            with contextlib.ExitStack() as stack:
                limits = replace(self.limits, wall_seconds=left)
                try:
                    sandbox = stack.enter_context(
                        Sandbox(limits, unsafe=self.unsafe, data=self.data)
                    )
                except KernelGoneError as error:
                    if self.restarts and error.reason == "time":
                        self.gone = "spent"
                        break
                    # the machine is at fault and not the student, so raise an error instead of
                    # returning a result
                    raise RuntimeError(f"the sandbox does not start: {error}") from None
                if not self.restarts:
                    # start the time limit only now, because starting the first kernel takes
                    # seconds
                    self.end = time.monotonic() + self.limits.wall_seconds
                    latest = self.end + (BUSY - 1) * self.limits.wall_seconds
                try:
                    return self._run_notebook(sandbox)
                except KernelGoneError:
                    self.end = min(self.end + sandbox.delayed, latest)
            self.restarts += 1
        for check in self.together:
            if check.is_open:
                check.reason = self.gone

    def _run_notebook(self, sandbox: Sandbox) -> None:
        """Run the notebook in one kernel, from the first cell on, and judge checks not judged yet.

        Raises
        ------
        KernelGoneError
            If the kernel ended early. The cell or check to blame has then been recorded.
        """
        waiting: list[_Check] = []
        for cell in self.cells:
            if not cell.is_code:
                continue
            if cell.role != "check":
                self._execute(sandbox, cell)
                continue
            check = self.checks.get(cell.name)
            if check not in self.together or not check.is_open:
                continue
            if check.visible is None and check.item.call not in self.suspects:
                self._ask(sandbox, check, hidden=False, remember=True)
                continue
            with self._blaming(check, _REMEMBER_SECONDS):
                question = {"item": cell.name, "call": check.item.call}
                check.is_remembered(sandbox.ask(question, _REMEMBER_SECONDS))
            if check.needs(hidden=False):
                waiting.append(check)
        for check in waiting:
            self._ask(sandbox, check, hidden=False)
        # functions that took too long or ended a kernel (suspects) come last; sort only now,
        # because the calls above may have added suspects
        for check in sorted(self.together, key=lambda check: check.item.call in self.suspects):
            if check.needs(hidden=True):
                self._ask(sandbox, check, hidden=True)

    def _execute(self, sandbox: Sandbox, cell: _Cell) -> None:
        """Run a cell, unless there is a reason to skip it.

        The reasons: the cell ended an earlier kernel, is empty, is left out to save time, or is
        the last cell, which makes the file to submit.
        """
        if cell.fatal or not cell.source.strip() or is_last_cell(cell.source):
            return
        if self._is_spared(cell):
            return
        start = time.monotonic()
        with self._blaming(cell, self.limits.cell_seconds):
            done = sandbox.execute(cell.source, self.limits.cell_seconds)
        self.truncated = self.truncated or done.truncated
        if cell.outputs is None:
            cell.outputs = done.outputs
        if not cell.name:
            cell.seconds = time.monotonic() - start
        if done.status == "error" and not cell.problem:
            cell.problem = _error(done.outputs)

    def _is_spared(self, cell: _Cell) -> bool:
        """Return whether to leave out a cell that the student added, to save time.

        The first kernel runs all cells. A later kernel leaves out cells below the last graded cell
        if they already have outputs, and leaves out slow cells (of at least `SLOW_SECONDS`) if
        together they took more than the share `SLOW_SHARE` of the kernel's time. The last kernel
        leaves out all slow cells and all cells below the last graded cell.
        """
        if not self.restarts or cell.name:
            return False
        last = self.restarts >= RESTARTS
        if cell.index > self.last_graded:
            has_outputs = cell.outputs is not None
            cell.left_out |= last and not has_outputs
            return last or has_outputs
        used = sum(one.seconds for one in self.cells if one.seconds >= SLOW_SECONDS)
        most = SLOW_SHARE * min(self.limits.cpu_seconds, self.limits.wall_seconds)
        spared = cell.seconds >= SLOW_SECONDS and (last or used > most)
        cell.left_out |= spared
        return spared

    @contextlib.contextmanager
    def _blaming(
        self, one: _Cell | _Check, seconds: float, *, hidden: bool = False
    ) -> Iterator[None]:
        """Record that a cell or check ended the kernel, if the kernel ends in the ``with`` block.

        If the submission's time ran out before the block took half of its `seconds`, other code
        used up the time. The cell or check is then excused, that is, nothing is recorded. Each is
        excused only once. The attribute `gone` is set to the reason why the kernel ended
        (`core.reasons`): ``"time"`` if the block took all of its `seconds`, and ``"spent"`` if the
        submission's time ran out earlier.

        Parameters
        ----------
        one
            The cell or check whose code runs in the block.
        seconds
            The most seconds that the block may take.
        hidden
            Whether the block calls the function on a check's hidden cases, which are excused
            separately from its visible cases.
        """
        start = time.monotonic()
        try:
            yield
        except KernelGoneError as error:
            elapsed = time.monotonic() - start
            in_time = error.reason == "time" and elapsed < seconds
            self.gone = "spent" if in_time else error.reason
            excusable = error.reason == "time" and elapsed < 0.5 * seconds
            if excusable and (one, hidden) not in self.excused:
                self.excused.add((one, hidden))
            else:
                one.end(self.gone)
            raise

    def _ask(
        self, sandbox: Sandbox, check: _Check, *, hidden: bool, remember: bool = False
    ) -> None:
        """Have the kernel call the student's function on visible or hidden cases; judge the reply.

        Parameters
        ----------
        remember
            Whether the kernel also stores the function, to call it on the hidden cases later.
        """
        part, call = check.part(hidden), check.item.call
        was_suspect = call in self.suspects
        if was_suspect and self._suspects_used_up():
            check.reason = "time"
            return
        question = {"item": check.item.name, "question": questions(part)}
        if remember:
            question["call"] = call
        start = time.monotonic()
        try:
            with self._blaming(check, patience(part), hidden=hidden):
                reply = sandbox.ask(question, patience(part))
        except KernelGoneError:
            self.suspects.add(call)
            raise
        finally:
            if was_suspect:
                self.suspects_seconds += time.monotonic() - start
        if remember and not check.is_remembered(reply):
            return
        outcomes = nested(reply, "outcomes")
        printed = nested(reply, "printed") if outcomes else ""
        check.record(part, outcomes, printed)
        if _values(outcomes, "late"):
            self.suspects.add(call)

    def _suspects_used_up(self) -> bool:
        """Return whether no more suspects may be called, for lack of time or of new kernels.

        Suspects are functions that took too long or ended a kernel.
        """
        return (
            self.restarts >= RESTARTS
            or self.suspects_seconds > SUSPECTS_SHARE * self.limits.wall_seconds
        )

    def _ask_parts_alone(self, sandbox: Alone, check: _Check) -> None:
        """Judge a check's visible cases and its hidden cases, by calls in separate processes."""
        sources = self._sources_for(check.item)
        if sources is None:
            check.reason = "missing"
            return
        for hidden in (False, True):
            if check.needs(hidden=hidden):
                self._ask_alone(sandbox, check, sources, hidden=hidden)

    def _ask_alone(
        self, sandbox: Alone, check: _Check, sources: Sequence[str], *, hidden: bool
    ) -> None:
        """Judge either a check's visible or its hidden cases, by calls in separate processes."""
        part, printed = check.part(hidden), ""
        answering = replier(part)
        outcomes: list[Any] = []
        for i, question in enumerate(one_by_one(part)):
            about = contextlib.nullcontext() if answering is None else answering.about(i)
            seconds = self.limits.cell_seconds + patience(part)
            try:
                with about:
                    reply = sandbox.ask(sources, check.item.call, question, seconds, answering)
            except KernelGoneError as error:
                check.reason = error.reason
                return
            if not check.is_remembered(reply):
                return
            some = reply.get("outcomes")
            outcomes += some if isinstance(some, list) else [None]
            printed += str(reply.get("printed"))
            if _values(outcomes, "late"):
                break
        if of_part(part).text_alone is not None:
            with_source: Any = {**part, "source": self._solution(check.item)}
            part = with_source
        check.record(part, outcomes, printed, () if answering is None else answering.witness)

    def _sources_for(self, item: Item) -> list[str] | None:
        """Return the code that the process for an item runs before it calls the item's function.

        Returns
        -------
        list of str or None
            The notebook's code cells above the check, except other checks, slow cells and cells
            that ended a kernel. If the exercise is to repair a function, the locked cells above
            the check and this function instead; None if no solution cell defines it.
        """
        assert item.visible is not None
        above = self.cells[: self.named[item.name].index]
        text_alone = of_part(item.visible).text_alone
        if text_alone is None:
            return [
                cell.source
                for cell in above
                if cell.is_code
                and cell.role != "check"
                and not cell.fatal
                and cell.seconds < SLOW_SECONDS
            ]
        solution = self._solution(item)
        if solution is None:
            return None
        locked = [cell.source for cell in above if cell.is_code and cell.role == "locked"]
        return [*locked, text_alone(solution, item.call)]

    def _solution(self, item: Item) -> str | None:
        """Return the text of the solution cell that defines an item's function, or None."""
        solutions = (cell for cell in self.cells if cell.role in ("solution", "manual"))
        return next((cell.source for cell in solutions if cell.defines(item.call)), None)

    def is_written(self, item: Item) -> bool:
        """Return whether the student has written an item's function.

        The result is False only if the solution cell of the function still has the stub.
        """
        solution = self._solution(item)
        return solution is None or not has_stub(solution)

    def result(self, item: Item) -> ItemResult:
        """Return the result of an item: points, verdicts, and the reason if it was not judged."""
        if item.kind == "manual":
            blank = is_unanswered(self.named[item.name].content)
            score, missing = (0.0, "unanswered") if blank else (None, "")
            return _item(item, score=score, reason=missing)
        check = self.checks[item.name]
        return _item(
            item,
            score=check.score,
            visible=check.visible and _cleaned(check.visible.to_data()),
            hidden=check.hidden and _cleaned(check.hidden.to_data()),
            reason=check.reason,
            note="" if check.score == item.points else self._note(check),
        )

    def _note(self, check: _Check) -> str:
        """Return a sentence on the cell error or missing function that made a check fail, or ""."""
        call, missing = check.item.call, check.reason == "missing"
        above = self.cells[: self.named[check.item.name].index]
        failed = [cell for cell in above if cell.problem]
        explaining = [cell for cell in failed if cell.defines(call)][-1:]
        if missing or check.lacks_name:
            explaining += failed
        if explaining:
            return self._sentence(explaining[0])
        return (
            _("No cell before the check defines a function `{call}`.", call=call) if missing else ""
        )

    def _sentence(self, cell: _Cell) -> str:
        """Return a sentence on a cell that raised an error or ended the kernel."""
        problem, label = cell.problem.rstrip(".:"), label_of(cell.content)
        if cell.fatal:
            return _("Your cell {cell} was ended: {reason}.", cell=label, reason=problem)
        return _("Your cell {cell} raised {error}.", cell=label, error=problem)

    def notices(self) -> list[Notice]:
        """Return the notices on cells that raised an error, ended the kernel or were left out."""
        found = [
            Notice("fatal_cell" if cell.fatal else "cell_error", self._sentence(cell), cell.name)
            for cell in self.cells
            if cell.problem
        ]
        for cell in self.cells:
            if cell.left_out and not cell.problem:
                text = _(
                    "Your cell {cell} was left out when the notebook was run again, because there "
                    "was not enough time.",
                    cell=label_of(cell.content),
                )
                found.append(Notice("slow_cell", text))
        if self.truncated:
            text = _("The cells printed too much, so only a part of it is shown.")
            found.append(Notice("output_cut", text))
        return found[:_MOST_NOTICES]


def _values(outcomes: object, key: str) -> list[Any]:
    """Return the value of a key in each outcome that has it; `outcomes` may be any object."""
    found = outcomes if isinstance(outcomes, list) else []
    return [one[key] for one in found if isinstance(one, dict) and key in one]


def _error(outputs: Sequence[Mapping[str, Any]]) -> str:
    """Return the name and message of the error in a cell's outputs; "an error" if there is none."""
    for output in outputs:
        if output.get("output_type") == "error":
            name = harmless.one_line(output.get("ename"))[: harmless.NAME_CHARACTERS]
            return harmless.one_line(f"{name}: {output.get('evalue')}").removesuffix(": ")
    return _("an error")


def _cleaned(value: Any) -> Any:
    """Return a verdict's data without texts that differ by run, such as addresses in memory."""
    if isinstance(value, str):
        return harmless.clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(inside) for inside in value]
    return value
