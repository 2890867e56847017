"""The desk of one assignment: what a marker may see and do, question by question.

It brings together the answers (`dpteach.term.marking.answers`), the gradebook
(`dpteach.term.marking.marks`) and the record of who marked what (`dpteach.term.marking.record`).
Students appear under a number; only `Desk.names` tells who they are.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.scheme import read_lines
from dpteach.grading.course.decisions import read_decisions
from dpteach.grading.course.folder import SETTINGS, check_assignment, course_api
from dpteach.grading.course.store import Store
from dpteach.grading.pages.formgrader import rendered
from dpteach.term.marking.agreement import agreement
from dpteach.term.marking.answers import Answer, Answers
from dpteach.term.marking.marks import Entry, Marks, entry_of
from dpteach.term.marking.piles import Key, Piles, new_numbers
from dpteach.term.marking.record import Appending, Mark, Record, event

_, _n = catalog("term")

#: the most characters of a marker's name and of a comment
NAME_CHARACTERS: Final = 40
COMMENT_CHARACTERS: Final = 5000

#: how many earlier comments are suggested
SUGGESTED: Final = 30


class DeskError(ValueError):
    """The reason why a request cannot be done: an unknown answer, or a value out of range."""


class ChangedError(Exception):
    """The answer or its mark has changed since the marker saw it; `now` is what it is now."""

    def __init__(self, now: dict[str, Any]) -> None:
        super().__init__()
        self.now = now


def marker(name: object) -> str:
    """Return the name that a marker entered, with single blanks.

    Examples
    --------
    >>> marker("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    words = " ".join(name.split()) if isinstance(name, str) else ""
    if not words or len(words) > NAME_CHARACTERS or not words.isprintable():
        raise DeskError(
            _(
                "the marker's name (who) must have 1 to {most} printable characters, got {value}",
                most=NAME_CHARACTERS,
                value=repr(name)[:60],
            )
        )
    return words


@dataclass(frozen=True)
class _Place:
    """One answer on the desk, with everything that is known about it."""

    key: Key
    answer: Answer
    entry: Entry
    piles: Piles

    def mark(self, kind: Mapping[Key, Mark]) -> Mark | None:
        """Return a mark of this kind, if it was given for the answer as it is now."""
        found = kind.get(self.key)
        return found if found is not None and found.answer == self.answer.digest else None

    @property
    def again(self) -> Mark | None:
        """The second mark."""
        return self.mark(self.piles.again)

    @property
    def first(self) -> Mark | None:
        """The first mark, also one that was given in the formgrader."""
        told = self.mark(self.piles.first)
        if told is not None or not self.entry.marked or self.mark(self.piles.settled):
            return told
        return Mark("", self.entry.points or 0.0, self.entry.comment, self.answer.digest)

    @property
    def current(self) -> Mark | None:
        """The mark that counts, with the lines of the scheme if they are known."""
        if self.entry.points is None:
            return None
        for told in (self.piles.settled.get(self.key), self.piles.first.get(self.key)):
            if told and (told.points, told.comment) == (self.entry.points, self.entry.comment):
                return told
        return Mark("", self.entry.points, self.entry.comment, "")

    @property
    def pair(self) -> tuple[Mark, Mark] | None:
        """The two marks of an answer that two people have marked."""
        first, again = self.first, self.again
        return (first, again) if first and again else None

    @property
    def unsettled(self) -> bool:
        """Whether two people disagree about the points, and have not settled it."""
        pair = self.pair
        differ = pair is not None and abs(pair[0].points - pair[1].points) > 1e-9
        return differ and self.mark(self.piles.settled) is None

    def is_second(self, who: str) -> bool:
        """Whether a person gives the second mark, and so may not see the first one."""
        return self.piles.second.get(self.key) == who and self.pair is None

    def seen(self, who: str) -> str:
        """Return the fingerprint of what a person sees; the first mark is no part of a second."""
        if self.is_second(who):
            return f"again {self.answer.digest}"
        return self.entry.seen(self.answer.digest)

    def accepts(self, who: str, seen: object) -> bool:
        """Return whether a person may still write the mark that they made of what they saw.

        Who marks an answer first and who second may change while it is on the screen. That does no
        harm if the person saw no mark, and there is none that theirs would replace.
        """
        nothing = Entry(None, "", True).seen(self.answer.digest)
        blind = seen in (f"again {self.answer.digest}", nothing)
        if self.is_second(who):
            return blind
        now = self.entry.seen(self.answer.digest)
        return seen == now or (blind and now == nothing)

    def state(self, who: str) -> str:
        """Return ``"open"``, ``"changed"`` since it was marked, or ``"marked"``, for a person."""
        if self.is_second(who):
            return "marked" if self.again else "open"
        if self.entry.marked:
            return "marked"
        return "open" if self.entry.points is None else "changed"

    def shown_to(self, who: str) -> Mark | None:
        """Return the mark that a person may see."""
        return self.again if self.is_second(who) else self.current


class Desk:
    """The desk of one assignment.

    Parameters
    ----------
    course
        The folder of the course.
    assignment
        The assignment's name.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If there is no such assignment.
    """

    def __init__(self, course: Path, assignment: str) -> None:
        check_assignment(course, assignment, graded=True)
        self.course, self.assignment = course, assignment
        self.record = Record(course, assignment)
        self.answers = Answers(Store(course, assignment))
        self._piles, self._taken, self._replaced, self._mended = Piles(), 0, 0, False
        self._api: tuple[int, Any] | None = None

    def items(self) -> list[dict[str, Any]]:
        """Return each item that a person marks, with how many answers it has and are marked."""
        found = self.answers.all()
        if not found:
            return []
        self._arrived(found)
        with self._marks() as marks:
            return [
                {"name": item, **self._progress(list(self._places(item, marks)))} for item in found
            ]

    def item(self, item: str, who: str) -> dict[str, Any]:
        """Return what the page shows about an item to a person.

        Raises
        ------
        DeskError
            If there is no such item.
        """
        found = self._written(item)
        self._arrived(found)
        with self._marks() as marks:
            places = list(self._places(item, marks))
        one = next(iter(found[item].values()))
        criteria = read_lines(one.scheme)
        return {
            "name": item,
            "points": one.points,
            "criteria": [
                [
                    {"points": p, "label": _label(p, first=i == 0), "html": _line(words)}
                    for i, (p, words) in enumerate(criterion)
                ]
                for criterion in criteria
            ],
            "answers": [self._listed(place, who) for place in places],
            "markers": [
                {"name": one, **self._progress([p for p in places if one in self._hands(p)], one)}
                for one in self._piles.markers
            ],
            "comments": self._comments(places, who),
            **self._progress(places),
            **_agreed(places),
        }

    def answer(self, item: str, number: int, who: str) -> dict[str, Any]:
        """Return one answer, with its mark if this person may see it.

        Raises
        ------
        DeskError
            If there is no such answer.
        """
        self._arrived(self.answers.all())
        with self._marks() as marks:
            return self._told(self._place(item, number, marks), who)

    def join(self, who: str) -> None:
        """Deal answers to a person, who is new or has a pile already."""
        self._arrived(self.answers.all())
        if who not in self._piles.markers:
            with self.record.writing() as file:
                file.add("joined", who)
                self._replayed()

    def take(self, item: str, who: str) -> list[int]:
        """Give a person half of the unmarked answers of the fullest pile; return their numbers."""
        self._written(item)
        self.join(who)
        with self._marks() as marks, self.record.writing() as file:
            self._replayed()
            left: dict[str, list[int]] = {}
            for place in self._places(item, marks):
                owner = self._piles.owner.get(place.key, "")
                if owner != who and not place.entry.marked and not place.is_second(who):
                    left.setdefault(owner, []).append(place.key[1])
            fullest = max(left.values(), key=len, default=[])
            numbers = fullest[len(fullest) // 2 :]
            if numbers:
                file.add("taken", who, item=item, numbers=numbers)
                self._replayed()
        return numbers

    def names(self, who: str) -> dict[int, str]:
        """Return the student behind each number; the record keeps who asked for it."""
        self._arrived(self.answers.all())
        with self.record.writing() as file:
            file.add("names", who)
            self._replayed()
        with self._marks() as marks:
            called = marks.names()
        return {
            number: f"{student} ({called[student]})" if called.get(student) else student
            for student, number in self._piles.numbers.items()
        }

    def mark(self, item: str, number: int, told: Mapping[str, Any]) -> dict[str, Any]:
        """Write a mark into the gradebook, or a second one into the record alone.

        Parameters
        ----------
        item, number
            The answer.
        told
            ``who``, ``points``, ``comment``, ``lines``, ``seen`` and whether it ``settles``.

        Returns
        -------
        dict
            What `answer` returns now.

        Raises
        ------
        DeskError
            If a value is not allowed.
        ChangedError
            If somebody has changed the answer or its mark since the marker saw it.
        """
        who = marker(told.get("who"))
        self._arrived(self._written(item))
        if number not in self._piles.answers[item]:
            raise _unknown(item, number)
        self.join(who)
        with self._marks() as marks, self.record.writing() as file:
            self._replayed()
            place = self._place(item, number, marks)
            mark = _mark(told, who, place)
            data = {"item": item, "number": number, **asdict(mark)}
            del data["who"]
            if not place.accepts(who, told.get("seen")):
                # if the mark is there already, an earlier request was written and its reply lost
                if not _equal(place.shown_to(who), mark):
                    raise ChangedError(self._told(place, who))
            elif place.is_second(who):
                file.add("again", who, **data)
            else:
                kind = "settled" if told.get("settles") or place.pair else "marked"
                with file.intended(event(kind, who, **data)):
                    marks.write(item, self._student(number), mark.points, mark.comment)
            self._replayed()
            return self._told(self._place(item, number, marks), who)

    def _written(self, item: str) -> dict[str, dict[str, Answer]]:
        """Return the answers of each item by student; refuse an item without answers."""
        found = self.answers.all()
        if item not in found:
            raise DeskError(_("no written answers to {item} were graded yet", item=item[:100]))
        return found

    def _marks(self) -> Marks:
        version = (self.course / SETTINGS).stat().st_mtime_ns
        if self._api is None or self._api[0] != version:
            self._api = version, course_api(self.course)
        return Marks(self._api[1], self.assignment)

    def _replayed(self) -> None:
        """Bring the piles up to the record."""
        events = self.record.events()
        if self._replaced != self.record.replaced:
            self._piles, self._taken, self._replaced = Piles(), 0, self.record.replaced
        for happened in events[self._taken :]:
            self._piles.take(happened)
        self._taken = len(events)

    def _arrived(self, found: Mapping[str, Mapping[str, Answer]]) -> None:
        """Number new students and deal new answers; end what a crash has interrupted."""
        self._replayed()
        if self._mended and not any(True for _ in self._new(found)):
            return
        with self.record.writing() as file:
            self._replayed()
            if not self._mended:
                self._mend(file)
            students = {student for those in found.values() for student in those}
            unknown = sorted(students - self._piles.numbers.keys())
            if unknown:
                taken = self._piles.numbers.values()
                numbers = new_numbers(unknown, taken, secrets.randbelow)
                file.add("numbered", "", numbers=numbers)
                self._replayed()
            for item, new in list(self._new(found)):
                secrets.SystemRandom().shuffle(new)
                file.add("answers", "", item=item, numbers=new)
                self._replayed()

    def _new(
        self, found: Mapping[str, Mapping[str, Answer]]
    ) -> Iterator[tuple[str, list[int | None]]]:
        """Yield each item with answers that were not dealt, and the numbers of their students."""
        for item, those in found.items():
            known = set(self._piles.answers[item])
            written = [student for student, answer in those.items() if not answer.blank]
            numbers = [self._piles.numbers.get(student) for student in written]
            if new := [n for n in numbers if n not in known]:
                yield item, new

    def _mend(self, file: Appending) -> None:
        """Write the mark that a crash kept from the gradebook or from the record."""
        happened = file.unfinished()
        if happened is not None:
            item, mark = str(happened.data["item"]), happened.mark()
            with self._marks() as marks:
                place = self._place(item, int(happened.data["number"]), marks)
                written = place.entry.marked and _equal(place.entry, mark)
                if not written and place.entry.seen(place.answer.digest) == mark.seen:
                    student = self._student(place.key[1])
                    marks.write(item, student, mark.points, mark.comment)
                    written = True
            if written:
                file.append(happened)
                self._replayed()
        file.done()
        self._mended = True

    def _student(self, number: int) -> str:
        return next(student for student, n in self._piles.numbers.items() if n == number)

    def _places(self, item: str, marks: Marks) -> Iterator[_Place]:
        """Yield the answers to an item in the gradebook, in the order of the numbers.

        Those of students who withdrew are left out.
        """
        entries, answers = marks.entries(item), self.answers.all().get(item, {})
        for student in read_decisions(self.course, self.assignment).withdrawn:
            entries.pop(student, None)
        dealt = set(self._piles.answers[item])
        for student, number in sorted(self._piles.numbers.items(), key=lambda one: one[1]):
            answer = answers.get(student)
            if answer and not answer.blank and number in dealt and student in entries:
                yield _Place((item, number), answer, entry_of(entries, student), self._piles)

    def _place(self, item: str, number: int, marks: Marks) -> _Place:
        for place in self._places(item, marks):
            if place.key == (item, number):
                return place
        raise _unknown(item, number)

    def _hands(self, place: _Place) -> tuple[str, ...]:
        return self._piles.hands(place.key)

    def _progress(self, places: list[_Place], who: str = "") -> dict[str, int]:
        return {"done": sum(p.state(who) == "marked" for p in places), "total": len(places)}

    def _listed(self, place: _Place, who: str) -> dict[str, Any]:
        return {
            "number": place.key[1],
            "state": place.state(who),
            "mine": who in self._hands(place),
            "hands": self._hands(place),
        }

    def _told(self, place: _Place, who: str) -> dict[str, Any]:
        mark = place.shown_to(who)
        return {
            **self._listed(place, who),
            **place.answer.page(),
            "mark": _shown(mark) if mark else None,
            "seen": place.seen(who),
        }

    def _comments(self, places: list[_Place], who: str) -> list[str]:
        """Return earlier comments, the most frequent first, without those on this person's sample.

        A comment on an answer that this person will mark for the second time would tell about it.
        """
        said = Counter(
            mark.comment for p in places if (mark := p.shown_to(who)) is not None and mark.comment
        )
        return [text for text, _count in said.most_common(SUGGESTED)]


def _unknown(item: str, number: int) -> DeskError:
    return DeskError(_("there is no answer {number} to {item}", number=number, item=item[:100]))


def _label(points: float, *, first: bool) -> str:
    """Return what a choice of a criterion earns, in words."""
    if first:
        return _n("{count:g} point", "{count:g} points", points)
    return _n("or {count:g} point", "or {count:g} points", points)


def _line(words: str) -> str:
    """Return a line of a scheme as HTML, with its formulas."""
    cell = {"metadata": {"nbgrader": {"locked": True}}}
    return rendered({"cell": cell}, words).strip().removeprefix("<p>").removesuffix("</p>")


def _shown(mark: Mark) -> dict[str, Any]:
    return {name: getattr(mark, name) for name in ("who", "points", "lines", "comment")}


def _equal(one: Mark | Entry | None, other: Mark) -> bool:
    return one is not None and (one.points, one.comment) == (other.points, other.comment)


def _agreed(places: list[_Place]) -> dict[str, Any]:
    """Return how well the two marks of the sample agree, and where they do not."""
    pairs = [pair for place in places if (pair := place.pair)]
    found = agreement([a.points for a, _b in pairs], [b.points for _a, b in pairs])
    return {
        "agreement": None if found is None else asdict(found),
        "unsettled": [
            {"number": place.key[1], "marks": [_shown(mark) for mark in place.pair or ()]}
            for place in places
            if place.unsettled
        ],
    }


def _mark(told: Mapping[str, Any], who: str, place: _Place) -> Mark:
    """Return the mark in a request.

    Raises
    ------
    DeskError
        Naming the value that is not allowed.
    """
    answer, seen = place.answer, place.entry.seen(place.answer.digest)
    points, comment, lines = told.get("points"), told.get("comment", ""), told.get("lines", [])
    if isinstance(points, bool) or not isinstance(points, (int, float)) or points != points:
        points = -1
    if not 0 <= points <= answer.points:
        raise DeskError(
            _(
                "the points must be a number from 0 to {most:g}, got {value}",
                most=answer.points,
                value=repr(told.get("points"))[:60],
            )
        )
    if not isinstance(comment, str) or len(comment) > COMMENT_CHARACTERS:
        raise DeskError(
            _("the comment must be a text of at most {most} characters", most=COMMENT_CHARACTERS)
        )
    if lines != [] and _worth(lines, answer) != round(points, 9):
        raise DeskError(
            _(
                "the lines must hold one choice for each line of the scheme, which together earn "
                "{points:g} points, got {value}",
                points=points,
                value=repr(lines)[:60],
            )
        )
    return Mark(who, float(points), comment.strip(), answer.digest, tuple(lines), seen)


def _worth(lines: object, answer: Answer) -> float | None:
    """Return what choices among the lines of a scheme earn; None if they do not fit the scheme."""
    criteria = read_lines(answer.scheme)
    if not isinstance(lines, list) or len(lines) != len(criteria):
        return None
    earned = 0.0
    for choice, criterion in zip(lines, criteria, strict=True):
        if type(choice) is not int or not 0 <= choice <= len(criterion):
            return None
        earned += criterion[choice - 1][0] if choice else 0.0
    return round(earned, 9)
