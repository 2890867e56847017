"""Grades one submission: a pure function of the exam, of what was handed in, and of the limits.

The student's cells run in a sandbox, in order. In place of a check cell the grader asks the kernel
what the student's function does on the visible cases, and lets it remember the function. When the
last cell has run, and its outputs are in, the hidden cases are asked; what comes back from then on
is judged, and nothing of it is shown but the verdict.

Two kinds of items are asked elsewhere (`sandbox.alone`). A test that the student wrote judges each
implementation in a new process, in which the student's cells above its check have run: it cannot
compare one implementation with others. A repair is the text of its function alone, below the
instructor's given cells: no other cell can replace what is judged.

A cell that ends the kernel, or a function that does so when it is asked, costs its own points: a
new kernel goes on without it, a few times. It also leaves out cells of the student's own that use
up the time, and runs none again that stand after all checks. Functions that were late or fatal
once are asked after all the others, so that they cannot use up the time of those.

An item that is not right, and builds on an earlier one that is not right either, is asked again
with the instructor's function in the place of the earlier one (`given`). Of that session nothing is
kept but how much of the item is right.
"""

from __future__ import annotations

import contextlib
import functools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dpteach.grading.classroom.given import earlier, with_right
from dpteach.grading.core import harmless
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.observe import BUSY
from dpteach.grading.core.reasons import credited, reason
from dpteach.grading.core.receipt import number_of
from dpteach.grading.core.result import ItemResult, Notice, Result, graded_by, notebook_text
from dpteach.grading.core.specification import Part
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
from dpteach.grading.kinds.registry import of_part
from dpteach.grading.sandbox.alone import Alone
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import KernelGoneError, Sandbox
from dpteach.grading.submission.intake import fingerprint, intake
from dpteach.grading.submission.repair import STUBS, tidy

#: how often a new kernel is started after one has ended before its time
RESTARTS: Final = 3

#: the share of a submission's time that functions may use which were late or fatal before
SUSPECTS_SHARE: Final = 0.4

#: seconds from which on a student's own cell is slow, and the share of a kernel's seconds that
#: slow cells may use in a kernel after the first
SLOW_SECONDS: Final = 1.0
SLOW_SHARE: Final = 0.25

#: the share of a submission's time that asking an item again may take, and after which no further
#: one is asked again
AGAIN_SHARE: Final = 0.5

#: the share of a submission's time that items may take which are asked alone
ALONE_SHARE: Final = 0.5

#: seconds that must be left for another kernel
_START_SECONDS = 3.0

#: by which a cell of code is known in which nothing is written yet
_STUB = STUBS["code"].split("\n")[-1]

#: seconds for the kernel to remember a function
_REMEMBER_SECONDS = 10.0


def grade_submission(
    exam: bytes,
    files: Mapping[str, bytes],
    limits: Limits,
    *,
    unsafe: bool = False,
    items: Sequence[str] | None = None,
) -> bytes:
    """Grades a submission.

    Parameters
    ----------
    exam
        The exam (`dpteach.grading.core.exam.Exam.to_bytes`).
    files
        What was handed in (`dpteach.grading.submission.intake.read_submission`).
    limits
        What each kernel may use; ``wall_seconds``, counted as there, is for the whole submission.
    unsafe
        Run the student's code without a sandbox.
    items
        The items to ask, or None for all. The result then holds these items only, as the result
        of a whole run would.

    Returns
    -------
    bytes
        A `dpteach.grading.core.result.Result`: no time, no path, no name of a student.

    Raises
    ------
    ValueError
        If `items` names an item that the exam does not have, or the exam is none.
    dpteach.grading.sandbox.sandbox.SandboxMissingError
        If there is no sandbox and `unsafe` is false.
    RuntimeError
        If the sandbox does not start.
    """
    known = _known(exam)
    names = [item.name for item in known.items]
    for name in names if items is None else items:
        if name not in names:
            raise ValueError(f"items must be among {', '.join(names)}, got {name!r}")
    wanted = [item for item in known.items if items is None or item.name in items]
    taken = intake(files, known)
    kind = "none" if unsafe else "bubblewrap"
    result = Result(
        assignment=known.assignment,
        seed=known.seed,
        submission=fingerprint(files),
        instructor=known.instructor,
        program=graded_by(),
        sandbox=kind,
        status="refused",
        notices=taken.notices,
        items=tuple(_item(item, score=0.0, reason="missing") for item in wanted),
        notebook="",
        version=known.version,
    )
    if taken.notebook is None:
        return result.to_bytes()
    cells = taken.notebook["cells"]
    uses = earlier(known)
    needed = {item.name for item in wanted}
    needed |= {name for item in wanted for name in uses.get(item.name, ())}
    asked = [item for item in known.items if item.name in needed]
    session = _Session(cells, asked, limits, unsafe, known.data())
    session.run()
    given = _given(known, session, uses)
    graded = tuple(
        replace(session.result(item), uses=uses.get(item.name, ()), **given.get(item.name, {}))
        for item in wanted
    )
    solutions = {
        name: harmless.clean(cell["source"], harmless.CODES_CHARACTERS)
        for name, cell in session.named.items()
        if _nbgrader(cell).get("solution") and cell["cell_type"] == "code"
    }
    result = replace(
        result,
        status="graded",
        notices=(*taken.notices, *session.notices(), *_shown(taken.notebook["cells"])),
        items=graded,
        solutions=solutions,
    )
    whole = replace(result, notebook=_autograded(taken.notebook, session, result))
    return whole.bounded().to_bytes()


@functools.lru_cache(maxsize=1)
def _known(exam: bytes) -> Exam:
    """The same one for all submissions of a class, which nothing here changes."""
    return Exam.from_bytes(exam)


def _nbgrader(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = cell["metadata"].get("nbgrader", {})
    return found


def _item(item: Item, **found: Any) -> ItemResult:
    about = (item.name, item.kind, item.points, item.book, item.key)
    return ItemResult(*about, scheme=item.scheme, **found)


def _given(
    exam: Exam, session: _Session, uses: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """What items get when the earlier ones that they use are right, where that is more.

    No two items share a sandbox: what an item gets does not depend on which others are asked.

    Returns
    -------
    dict
        By the item's name: its ``score``, and the earlier items to mend (``given``).
    """
    found: dict[str, dict[str, Any]] = {}
    limits = replace(session.limits, wall_seconds=AGAIN_SHARE * session.limits.wall_seconds)
    end = time.monotonic() + limits.wall_seconds
    scores = {name: session.score(item) for name, item in session.asked.items()}
    for name, item in session.asked.items():
        wrong = [one for one in uses[name] if scores[one] < session.asked[one].points]
        if scores[name] == item.points or not wrong or not session.written(item):
            continue
        if time.monotonic() > end:
            break
        cells = with_right(session.cells, exam, item, wrong)
        again = _Session(cells, [item], limits, session.unsafe, session.data)
        again.run()
        # the one number that leaves a sandbox with a reference in it
        score = again.score(item)
        if score > scores[name]:
            # what is right but for others is not to be mended
            right = {one for one in found if found[one]["score"] == session.asked[one].points}
            roots = [session.asked[one] for one in wrong if one not in right]
            found[name] = {"score": score, "given": _to_mend(item, roots)}
    return found


def _to_mend(item: Item, roots: Sequence[Item]) -> tuple[str, ...]:
    """Of several items about one function those on which this one builds, if it says so."""
    assert item.visible is not None
    named = [one for one in roots if one.name in item.visible["builds_on"]]
    about = {one.call for one in named}
    return tuple(one.name for one in roots if one in named or one.call not in about)


@dataclass
class _Known:
    """What is known about an item so far."""

    visible: Verdict | None = None
    hidden: Verdict | None = None
    reason: str = ""
    printed: str = ""


@dataclass(frozen=True)
class _Ended:
    """A cell that raised an error, or ended its kernel."""

    words: str
    fatal: bool


@dataclass
class _Session:
    """The work on one submission; `run` does it."""

    cells: Sequence[Any]
    items: Sequence[Item]
    limits: Limits
    unsafe: bool
    #: the assignment's files of data
    data: Mapping[str, bytes]
    known: dict[str, _Known] = field(init=False)
    named: dict[str, Any] = field(init=False)
    #: outputs of the student's cells, and those that did not end well, by index
    outputs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    ended: dict[int, _Ended] = field(default_factory=dict)
    truncated: bool = False
    #: seconds of the student's own cells, by index, and those that a later kernel left out
    seconds: dict[int, float] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    #: functions that were late or fatal, and the seconds that those have used
    suspects: set[str] = field(default_factory=set)
    suspects_seconds: float = 0.0
    #: what has been under way when time was over without being long under way
    excused: set[object] = field(default_factory=set)
    restarts: int = 0
    #: why the last kernel ended
    gone: str = "spent"

    def __post_init__(self) -> None:
        self.known = {item.name: _Known() for item in self.items}
        self.named = {
            str(_nbgrader(cell)["grade_id"]): cell for cell in self.cells if _nbgrader(cell)
        }
        self.asked = {item.name: item for item in self.items if item.kind == "check"}
        self.together = [item for item in self.asked.values() if not asked_alone(item)]
        grades = [i for i, cell in enumerate(self.cells) if _nbgrader(cell).get("grade")]
        self.last = max(grades, default=-1)
        self.end = 0.0

    def run(self) -> None:
        """Asks everything."""
        if self.asked or any(map(self._shows, self.items)):
            self._in_kernels()
        alone = [item for item in self.asked.values() if item not in self.together]
        if alone:
            limits = replace(self.limits, wall_seconds=ALONE_SHARE * self.limits.wall_seconds)
            with Alone(limits, unsafe=self.unsafe, data=self.data) as sandbox:
                for item in alone:
                    self._ask_alone(sandbox, item)

    def _in_kernels(self) -> None:
        """Asks what a kernel is asked; each round of the loop is one kernel."""
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
                except KernelGoneError as gone:
                    if self.restarts and gone.reason == "time":
                        self.gone = "spent"
                        break
                    # no student's fault, and no result
                    raise RuntimeError(f"the sandbox does not start: {gone}") from None
                if not self.restarts:
                    # the first kernel on a machine may take its time to start
                    self.end = time.monotonic() + self.limits.wall_seconds
                    latest = self.end + (BUSY - 1) * self.limits.wall_seconds
                try:
                    return self._attempt(sandbox)
                except KernelGoneError:
                    self.end = min(self.end + sandbox.delayed, latest)
            self.restarts += 1
        for item in self.together:
            known = self.known[item.name]
            if not known.reason and self._open(item):
                known.reason = self.gone

    def _shows(self, item: Item) -> bool:
        """Whether a person grades what a cell of code shows."""
        return item.kind == "manual" and self.named[item.name]["cell_type"] == "code"

    def _open(self, item: Item) -> bool:
        """Whether something is still to be asked about an item."""
        known = self.known[item.name]
        return not known.reason and (known.visible is None or self._hidden_counts(item))

    def _hidden_counts(self, item: Item) -> bool:
        """Whether the hidden part can still change the points."""
        known = self.known[item.name]
        if item.hidden is None or known.hidden is not None or known.visible is None:
            return False
        return known.visible.passed or by_share(item.hidden)

    def _attempt(self, sandbox: Sandbox) -> None:
        """One kernel, from the first cell on.

        Raises
        ------
        KernelGoneError
            If it has ended before its time; whom that costs what is known then.
        """
        waiting: list[Item] = []
        for i, cell in enumerate(self.cells):
            if cell["cell_type"] != "code":
                continue
            if not _nbgrader(cell).get("grade") or _nbgrader(cell).get("solution"):
                self._execute(sandbox, i, cell)
                continue
            item = self.asked.get(str(_nbgrader(cell)["grade_id"]))
            if item not in self.together or not self._open(item):
                continue
            known = self.known[item.name]
            if known.visible is None and item.call not in self.suspects:
                self._ask(sandbox, item, hidden=False, remember=True)
                continue
            self._remember(sandbox, item)
            if known.visible is None and not known.reason:
                waiting.append(item)
        # `suspects` may have grown meanwhile
        for item in waiting:
            self._ask(sandbox, item, hidden=False)
        for item in sorted(self.together, key=lambda item: item.call in self.suspects):
            if not self.known[item.name].reason and self._hidden_counts(item):
                self._ask(sandbox, item, hidden=True)

    def _execute(self, sandbox: Sandbox, i: int, cell: Any) -> None:
        ended = self.ended.get(i)
        if (ended is not None and ended.fatal) or not cell["source"].strip():
            return
        if self.restarts and not _nbgrader(cell) and self._spared(i):
            return

        def fatal() -> None:
            self.ended[i] = _Ended(reason(self.gone).clause, True)
            self.outputs[i] = [_stream(f"The cell was ended: {self.ended[i].words}.\n")]

        start = time.monotonic()
        with self._blaming(i, self.limits.cell_seconds, fatal):
            done = sandbox.execute(cell["source"], self.limits.cell_seconds)
        self.truncated = self.truncated or done.truncated
        self.outputs.setdefault(i, done.outputs)
        if not _nbgrader(cell):
            self.seconds[i] = time.monotonic() - start
        if done.status == "error":
            self.ended.setdefault(i, _Ended(_error(done.outputs), False))

    def _spared(self, i: int) -> bool:
        """Whether a kernel after the first does without an own cell of the student's.

        A cell after all checks has shown what it shows; slow cells must not use up the time in
        which the checks are asked. The last kernel is for the checks alone.
        """
        slow = self.seconds.get(i, 0.0) >= SLOW_SECONDS
        used = sum(one for one in self.seconds.values() if one >= SLOW_SECONDS)
        most = SLOW_SHARE * min(self.limits.cpu_seconds, self.limits.wall_seconds)
        shown, last = i in self.outputs, self.restarts >= RESTARTS
        after = i > self.last
        spared = (shown or last) if after else slow and (last or used > most)
        if spared and not (after and shown):
            self.left_out.add(i)
        return spared

    @contextlib.contextmanager
    def _blaming(self, what: object, seconds: float, blame: Callable[[], None]) -> Iterator[None]:
        """Blames what is under way, for so many seconds at most, if it ends the kernel.

        It is excused, once at most, where time was over for reasons that came before. `gone` comes
        to say whose time it was: its own, or that of the kernel, which all cells and cases share.
        """
        start = time.monotonic()
        try:
            yield
        except KernelGoneError as gone:
            elapsed = time.monotonic() - start
            shared = gone.reason == "time" and elapsed < seconds
            self.gone = "spent" if shared else gone.reason
            short = elapsed < 0.5 * seconds
            if gone.reason == "time" and short and what not in self.excused:
                self.excused.add(what)
            else:
                blame()
            raise

    def _cells_for(self, item: Item) -> list[str] | None:
        """What an item needs that is asked alone; None if nothing defines its function."""
        assert item.visible is not None
        above = []
        for i, cell in enumerate(self.cells):
            if _nbgrader(cell).get("grade_id") == item.name:
                break
            about = _nbgrader(cell)
            if cell["cell_type"] == "code" and (about.get("solution") or not about.get("grade")):
                above.append(i)
        text_alone = of_part(item.visible).text_alone
        if text_alone is None:
            slow = {i for i in above if self.seconds.get(i, 0.0) >= SLOW_SECONDS}
            slow |= {i for i in above if i in self.ended and self.ended[i].fatal}
            return [self.cells[i]["source"] for i in above if i not in slow]
        source = self._source(item)
        given = [self.cells[i] for i in above if _nbgrader(self.cells[i]).get("locked")]
        if source is None:
            return None
        return [*(cell["source"] for cell in given), text_alone(source, item.call)]

    def _source(self, item: Item) -> str | None:
        """The text of the solution cell that is there for the function of an item."""
        for cell in self.cells:
            if _nbgrader(cell).get("solution") and _defines(cell["source"], item.call):
                return str(cell["source"])
        return None

    def written(self, item: Item) -> bool:
        """Whether there is anything in the place of the stub for the function of an item."""
        source = self._source(item)
        return source is None or _STUB not in source

    def _ask_alone(self, sandbox: Alone, item: Item) -> None:
        """Asks about both parts of an item, each question in a process of its own."""
        known, cells = self.known[item.name], self._cells_for(item)
        if cells is None:
            known.reason = "missing"
            return
        known.visible, known.printed = self._verdict(sandbox, item, item.visible, cells)
        if not known.reason and self._hidden_counts(item):
            known.hidden, _ = self._verdict(sandbox, item, item.hidden, cells)

    def _verdict(
        self, sandbox: Alone, item: Item, part: Part[Any] | None, cells: Sequence[str]
    ) -> tuple[Verdict | None, str]:
        """The verdict on a part of an item, and what was printed; or none, and a reason."""
        assert part is not None
        answering, printed = replier(part), ""
        outcomes: list[Any] = []
        for i, question in enumerate(one_by_one(part)):
            about = contextlib.nullcontext() if answering is None else answering.about(i)
            try:
                with about:
                    seconds = self.limits.cell_seconds + patience(part)
                    found = sandbox.ask(cells, item.call, question, seconds, answering)
            except KernelGoneError as gone:
                self.known[item.name].reason = gone.reason
                return None, ""
            if not self._remembered(item, found):
                return None, ""
            some = found.get("outcomes")
            outcomes += some if isinstance(some, list) else [None]
            printed += str(found.get("printed"))
            if _late(outcomes):
                break
        if of_part(part).text_alone is not None:
            read: Any = {**part, "source": self._source(item)}
            part = read
        verdict = judge(part, outcomes, () if answering is None else answering.witness)
        return verdict, harmless.clean(printed, 2_000)

    def _remember(self, sandbox: Sandbox, item: Item) -> None:
        question = {"item": item.name, "call": item.call}
        with self._blaming((item.name, False), _REMEMBER_SECONDS, lambda: self._end(item)):
            found = sandbox.ask(question, _REMEMBER_SECONDS)
        self._remembered(item, found)

    def _end(self, item: Item) -> None:
        """Asks no more about an item, as it has ended the kernel."""
        self.known[item.name].reason = self.gone

    def _remembered(self, item: Item, found: object) -> bool:
        """Whether there was a function to remember; if not, there is a reason."""
        said = found.get("known") if isinstance(found, dict) else None
        if said != "function":
            missing = said in ("missing", "uncallable")
            self.known[item.name].reason = "missing" if missing else "broken"
        return said == "function"

    def _ask(self, sandbox: Sandbox, item: Item, *, hidden: bool, remember: bool = False) -> None:
        """Asks about one part of an item."""
        known = self.known[item.name]
        part = item.hidden if hidden else item.visible
        assert part is not None
        suspect = item.call in self.suspects
        if suspect and self._used_up():
            known.reason = "time"
            return
        seconds = patience(part)
        question = {"item": item.name, "question": questions(part)}
        if remember:
            question["call"] = item.call
        start = time.monotonic()
        try:
            with self._blaming((item.name, hidden), seconds, lambda: self._end(item)):
                found = sandbox.ask(question, seconds)
        except KernelGoneError:
            self.suspects.add(item.call)
            raise
        finally:
            if suspect:
                self.suspects_seconds += time.monotonic() - start
        if remember and not self._remembered(item, found):
            return
        outcomes = found.get("outcomes") if isinstance(found, dict) else None
        verdict = judge(part, outcomes)
        if _late(outcomes):
            self.suspects.add(item.call)
        if hidden:
            known.hidden = verdict
        else:
            known.visible = verdict
            known.printed = harmless.clean(found.get("printed"), 2_000) if outcomes else ""

    def _used_up(self) -> bool:
        """Whether functions that were late or fatal have had their share of time and kernels."""
        return (
            self.restarts >= RESTARTS
            or self.suspects_seconds > SUSPECTS_SHARE * self.limits.wall_seconds
        )

    def score(self, item: Item) -> float:
        """The points of a check."""
        known = self.known[item.name]
        return 0.0 if known.reason else credit(item, known.visible, known.hidden)

    def result(self, item: Item) -> ItemResult:
        """What came of an item."""
        if item.kind == "manual":
            blank = _unanswered(self.named[item.name])
            told = {"score": 0.0, "reason": "unanswered"} if blank else {"score": None}
            return _item(item, **told)
        known, score = self.known[item.name], self.score(item)
        return _item(
            item,
            score=score,
            visible=_data(known.visible),
            hidden=_data(known.hidden),
            reason=known.reason,
            note="" if score == item.points else self._note(item),
        )

    def _note(self, item: Item) -> str:
        """Which cell explains that a check was not passed."""
        known = self.known[item.name]
        place = next(
            i for i, cell in enumerate(self.cells) if _nbgrader(cell).get("grade_id") == item.name
        )
        before = [i for i in range(place) if i in self.ended]
        defining = [i for i in before if _defines(self.cells[i]["source"], item.call)]
        lost = known.reason == "missing" or (
            known.visible is not None and known.visible.returned.startswith("an error: NameError")
        )
        for i in (*defining[-1:], *(before if lost else ())):
            return self._sentence(i)
        if known.reason == "missing":
            return f"No cell before the check defines a function `{item.call}`."
        return ""

    def _sentence(self, i: int) -> str:
        """What became of a cell that did not end well."""
        name = _nbgrader(self.cells[i]).get("grade_id")
        number = number_of(self.cells, i)
        called = f"cell `{name}`" if name else f"code cell number {number}"
        ended = self.ended[i]
        told = f"was ended: {ended.words}" if ended.fatal else f"raised {ended.words}"
        return f"Your {called} {told.rstrip('.:')}."

    def notices(self) -> list[Notice]:
        """What went wrong on the way."""
        found: list[Notice] = []
        for i, ended in sorted(self.ended.items()):
            name = str(_nbgrader(self.cells[i]).get("grade_id", ""))
            code = "fatal_cell" if ended.fatal else "cell_error"
            found.append(Notice(code, self._sentence(i), name))
        for i in sorted(self.left_out - set(self.ended)):
            text = (
                f"Your code cell number {number_of(self.cells, i)} was left out when the work "
                "began again: time was short."
            )
            found.append(Notice("slow_cell", text))
        if self.truncated:
            found.append(Notice("output_cut", "The cells printed more than is kept."))
        return found[:20]


def _unanswered(cell: Mapping[str, Any]) -> bool:
    if cell["cell_type"] == "code":
        return tidy(cell["source"]) == "" or _STUB in cell["source"]
    return tidy(cell["source"]) in ("", STUBS["markdown"]) and not cell.get("attachments")


def _late(outcomes: object) -> bool:
    return isinstance(outcomes, list) and any(
        isinstance(outcome, dict) and "late" in outcome for outcome in outcomes
    )


def _defines(source: str, function: str) -> bool:
    pattern = (
        rf"(?m)^(?:(?:async[ \t]+)?def[ \t]+{re.escape(function)}\b|{re.escape(function)}\s*=)"
    )
    return function in source and re.search(pattern, source) is not None


def _error(outputs: Sequence[Mapping[str, Any]]) -> str:
    """The error among the outputs of a cell, in words."""
    for output in outputs:
        if output.get("output_type") == "error":
            name = harmless.one_line(output.get("ename"))[: harmless.NAME_CHARACTERS]
            return harmless.one_line(f"{name}: {output.get('evalue')}").removesuffix(": ")
    return "an error"


def _data(verdict: Verdict | None) -> dict[str, Any] | None:
    """A verdict as data, without what differs from run to run."""
    return None if verdict is None else _steady(verdict.to_data())


def _steady(value: Any) -> Any:
    if isinstance(value, str):
        return harmless.clean(value)
    if isinstance(value, dict):
        return {key: _steady(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_steady(inside) for inside in value]
    return value


def _stream(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _shown(cells: Sequence[Any]) -> list[Notice]:
    """Makes of the cells what a page may render, and says of which it shows a part."""
    texts, codes = harmless.TEXTS_CHARACTERS, harmless.CODES_CHARACTERS
    cut: list[Notice] = []
    # what is asked for comes before what else a student wrote
    for i, cell in sorted(enumerate(cells), key=lambda at: not _nbgrader(at[1])):
        if _nbgrader(cell).get("locked"):
            continue
        name = str(_nbgrader(cell).get("grade_id", ""))
        called = f"`{name}`" if name else f"number {number_of(cells, i)}"
        whole = cell["source"]
        if cell["cell_type"] == "markdown":
            if _nbgrader(cell).get("solution") and _unanswered(cell):
                cell["source"] = STUBS["markdown"]  # by which nbgrader knows it
                continue
            length, most = harmless.markdown_length(whole), min(texts, harmless.TEXT_CHARACTERS)
            cell["source"] = harmless.markdown(whole, most, cell.get("attachments", ()))
            texts -= min(length, most)
            if length > most:
                told = (
                    f"Your text cell {called} has {length:,} characters. Only the first {most:,} "
                    "are shown to who grades it: a cell may have "
                    f"{harmless.TEXT_CHARACTERS:,}, all your text cells together "
                    f"{harmless.TEXTS_CHARACTERS:,}."
                )
                cut.append(Notice("long_text", told, name))
        else:
            cell["source"] = harmless.code(whole, min(codes, harmless.CODE_CHARACTERS))
            codes -= min(len(whole), codes)
            if cell["source"] != whole:
                told = (
                    f"Your code cell {called} was graded whole, and is shown in part: its lines, "
                    "or all of it, are too long to be read."
                )
                cut.append(Notice("long_code", told, name))
    return cut[:20]


def _autograded(notebook: Any, session: _Session, result: Result) -> str:
    """The notebook that formgrader shows, as JSON text, with the grader's own outputs."""
    results = {item.name: item for item in result.items}
    room = harmless.NOTEBOOK_BYTES
    codes = [at for at in enumerate(notebook["cells"]) if at[1]["cell_type"] == "code"]
    for count, (_, cell) in enumerate(codes, start=1):
        cell["execution_count"] = count
    # what a person grades comes before what else a student shows
    for i, cell in sorted(codes, key=lambda at: not _nbgrader(at[1]).get("grade")):
        name = str(_nbgrader(cell).get("grade_id", ""))
        if name in results and results[name].kind == "check":
            cell["outputs"] = _told(results[name], session.known[name])
        elif i in session.outputs:
            cell["outputs"], room = harmless.outputs(session.outputs[i], room)
    return notebook_text(notebook)


def _told(item: ItemResult, known: _Known) -> list[dict[str, Any]]:
    """The outputs of a check cell: the verdict in words, and the points as nbgrader reads them.

    nbgrader's ``determine_grade`` takes a number that a cell returns for its points, and a cell
    that returns nothing for a right one.
    """
    lines = [item.note] if item.note else []
    if known.printed:
        lines.append(f"(your function printed: {known.printed.rstrip()})")
    lines += [verdict.text() for verdict in (known.visible, known.hidden) if verdict is not None]
    if item.reason:
        lines.append(f"{item.name}: not judged: {reason(item.reason).clause}.")
    if item.given:
        lines.append(f"{item.name}: {credited(item.score or 0.0, item.points, item.given)}")
    told = [_stream(harmless.clean("\n".join(lines)) + "\n")]
    if item.score != item.points:
        data = {"text/plain": repr(item.score)}
        points = {"output_type": "execute_result", "execution_count": None, "data": data}
        told.append({**points, "metadata": {}})
    return told
