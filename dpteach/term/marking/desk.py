"""The marking of one assignment: which answers and marks a person sees, and how marks are written.

A `Desk` combines the answers (`dpteach.term.marking.answers`) with the marks in the gradebook and
in the record of who gave which mark (`dpteach.term.marking.marks`). Markers know each student only
by a number; `Desk.names` returns the students' names.
"""

from __future__ import annotations

import contextlib
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.scheme import read_lines
from dpteach.grading.course.folder import check_assignment, course_api
from dpteach.grading.course.gradebook import called, full_name
from dpteach.grading.course.store import Store
from dpteach.grading.pages.formgrader import rendered
from dpteach.term.marking.answers import Answer, read_answers
from dpteach.term.marking.marks import Entry, Event, Mark, Marks, Record, event
from dpteach.term.marking.piles import Key, Piles, agreement, new_numbers

_, _n = catalog("term")

#: the most characters that the name of a marker and a comment may have
NAME_CHARACTERS: Final = 40
COMMENT_CHARACTERS: Final = 5000

#: how many earlier comments on the same item the marking page suggests to a marker
SUGGESTED: Final = 30

_CHANCE: Final = secrets.SystemRandom()


class DeskError(ValueError):
    """The error of a request for an unknown answer, or with a value that is not allowed."""


class ChangedError(Exception):
    """The error of a mark for an answer that changed, or was marked, after the marker saw it.

    Attributes
    ----------
    now
        The data about the answer and its mark for the page to show now, as `Desk.answer` returns
        them.
    """

    def __init__(self, now: dict[str, Any]) -> None:
        self.now = now


def marker(name: object) -> str:
    """Return the name that a marker entered, with single spaces between the words.

    Raises
    ------
    DeskError
        If `name` is no text of 1 to 40 printable characters.

    Examples
    --------
    >>> marker("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    words = " ".join(name.split()) if isinstance(name, str) else ""
    if not words or len(words) > NAME_CHARACTERS or not words.isprintable():
        most, was = NAME_CHARACTERS, repr(name)[:50]
        raise DeskError(_("a name has 1 to {most} characters, got {was}", most=most, was=was))
    return words


@dataclass(frozen=True)
class _Place:
    """One answer of a student, with its entry in the gradebook and the people who mark it.

    Attributes
    ----------
    key
        The name of the item, and the number by which markers know the student.
    student
        The id of the student.
    answer
        The answer and its question.
    entry
        The points and the comment that the gradebook has for the answer.
    piles
        Who marks which answer of the assignment, and all marks given on the marking page.
    """

    key: Key
    student: str
    answer: Answer
    entry: Entry
    piles: Piles

    @property
    def hands(self) -> tuple[str, ...]:
        """The names of the one or two people who mark this answer."""
        return self.piles.hands(self.key)

    def mark(self, kind: Mapping[Key, Mark]) -> Mark | None:
        """Return this answer's mark in `kind`, one of the tables of marks in `piles`.

        Return None if the table has no mark, or if the answer has changed since that mark.
        """
        found = kind.get(self.key)
        return found if found is not None and found.answer == self.answer.digest else None

    @property
    def again(self) -> Mark | None:
        """The second marker's mark, or None if there is none for the answer as it is now."""
        return self.mark(self.piles.again)

    @property
    def first(self) -> Mark | None:
        """The first marker's mark, or None; a mark given in the formgrader counts as the first."""
        told = self.mark(self.piles.first)
        if told is not None or not self.entry.marked or self.mark(self.piles.settled):
            return told
        return Mark("", self.entry.points or 0.0, self.entry.comment, self.answer.digest)

    @property
    def current(self) -> Mark | None:
        """The mark that the gradebook has for this answer, or None.

        The marker's name `who` and the choices `lines` (see `Mark`) are filled only if the mark was
        given on the marking page.
        """
        if self.entry.points is None:
            return None
        told = self.piles.counted.get(self.key)
        if told and _equal(self.entry, told):
            return told
        return Mark("", self.entry.points, self.entry.comment, "")

    @property
    def pair(self) -> tuple[Mark, Mark] | None:
        """The first and the second marker's marks, or None if one of the two is missing."""
        first, again = self.first, self.again
        return (first, again) if first and again else None

    @property
    def unsettled(self) -> bool:
        """Whether two markers gave different points and have not agreed on a mark yet."""
        pair = self.pair
        differ = pair is not None and abs(pair[0].points - pair[1].points) > 1e-9
        return differ and self.mark(self.piles.settled) is None

    def is_second(self, who: str) -> bool:
        """Return whether a person is the second marker and must not see the first mark yet.

        When both marks are there, both people may see both.
        """
        return self.piles.second.get(self.key) == who and self.pair is None

    def seen(self, who: str) -> str:
        """Return a hash of the answer and of its mark in the gradebook, as a person sees them.

        The page sends the hash back with a new mark, which is refused if the hash has changed.
        While a second marker must not see the first mark, the hash is that of an unmarked answer.
        """
        entry = Entry(None, "", True) if self.is_second(who) else self.entry
        return entry.seen(self.answer.digest)

    def state(self, who: str) -> str:
        """Return the state of the answer for a person: ``"open"``, ``"marked"`` or ``"changed"``.

        An answer is ``"changed"`` if it changed after it was marked. For a second marker, only the
        second mark counts until both marks are there.
        """
        if self.is_second(who):
            return "marked" if self.again else "open"
        if self.entry.marked:
            return "marked"
        return "open" if self.entry.points is None else "changed"

    def shown_to(self, who: str) -> Mark | None:
        """Return the mark of this answer that a person may see, or None if there is none.

        The second marker sees only their own mark until both markers have marked the answer. In all
        other cases, this is the mark in the gradebook.
        """
        return self.again if self.is_second(who) else self.current

    def listed(self, who: str) -> dict[str, Any]:
        """Return the data about this answer that a person sees in the page's list of answers."""
        number, hands = self.key[1], self.hands
        return {"number": number, "state": self.state(who), "mine": who in hands, "hands": hands}

    def told(self, who: str) -> dict[str, Any]:
        """Return all data about this answer that a person sees when the page shows the answer."""
        mark = self.shown_to(who)
        about = {"mark": _shown(mark) if mark else None, "seen": self.seen(who)}
        return {**self.listed(who), **self.answer.page(), **about}


class Desk:
    """The answers to one assignment, and the marks that people give for them.

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
        self.store = Store(course, assignment)
        self._known, self._taken = Piles(), list[Event]()

    def items(self) -> list[dict[str, Any]]:
        """Return the name of each item marked by hand, and how many of its answers are marked."""
        found = self._arrived()
        with self._marks() as marks:
            return [{"name": item, **_progress(self._places(item, marks))} for item in found]

    def item(self, item: str, who: str) -> dict[str, Any]:
        """Return all data about an item that the page shows a person, except the answers' texts.

        Raises
        ------
        DeskError
            If the item has no answers that a person must mark.
        """
        found = self._arrived(item)
        with self._marks() as marks:
            places = self._places(item, marks)
        one = next(iter(found[item].values()))
        mine = {name: [p for p in places if name in p.hands] for name in self._piles.markers}
        pairs = [pair for place in places if (pair := place.pair)]
        return {
            "name": item,
            "points": one.points,
            "criteria": _criteria(one.scheme),
            "answers": [place.listed(who) for place in places],
            "markers": [{"name": name, **_progress(those, name)} for name, those in mine.items()],
            "comments": _comments(places, who),
            "agreement": agreement([a.points for a, _b in pairs], [b.points for _a, b in pairs]),
            "unsettled": [
                {"number": place.key[1], "marks": [_shown(mark) for mark in place.pair or ()]}
                for place in places
                if place.unsettled
            ],
            **_progress(places),
        }

    def answer(self, item: str, number: int, who: str) -> dict[str, Any]:
        """Return all data about one answer that the page shows a person.

        The mark is included if the person may see it.

        Raises
        ------
        DeskError
            If no answer to the item has this number.
        """
        self._arrived(item)
        with self._marks() as marks:
            return self._place(item, number, marks).told(who)

    def join(self, who: str) -> None:
        """Make a person a marker with a share of the answers to each item, unless already done."""
        self._arrived()
        if who not in self._piles.markers:
            with self.record.locked():
                self.record.add(event("joined", who))

    def take(self, item: str, who: str) -> list[int]:
        """Give `who` half of another marker's unmarked answers to `item`.

        The other marker is the one who has the most of these answers.

        Returns
        -------
        list of int
            The numbers of these answers; empty if no other marker has unmarked answers.
        """
        self._arrived(item)
        self.join(who)
        with self._marks() as marks, self.record.locked():
            places = self._places(item, marks)
            left = [p for p in places if who not in p.hands and not p.entry.marked]
            owners = Counter(place.hands[:1] for place in left).most_common(1)
            fullest = [p.key[1] for p in left if p.hands[:1] == owners[0][0]]
            numbers = fullest[len(fullest) // 2 :]
            if numbers:
                self.record.add(event("taken", who, item=item, numbers=numbers))
        return numbers

    def names(self, who: str) -> dict[int, str]:
        """Return, by the number that markers see, each student's id and name; record who asked."""
        self._arrived()
        with self._marks() as marks, self.record.locked():
            self.record.add(event("names", who))
            people = marks.book.students
            names = {one.id: full_name(one.first_name, one.last_name) for one in people}
        return {n: called(one, names.get(one, "")) for one, n in self._piles.numbers.items()}

    def mark(self, item: str, number: int, told: Mapping[str, Any]) -> dict[str, Any]:
        """Write a mark into the gradebook and the record; a second marker's only into the record.

        Parameters
        ----------
        item, number
            The item and the number of the answer.
        told
            The data of the request: the name ``who`` of the marker, the ``points``, the
            ``comment``, the choices ``lines`` that the marker took in the scheme (see `Mark`), the
            hash ``seen`` of what the marker saw, and whether the mark ``settles`` a disagreement.

        Returns
        -------
        dict
            What `answer` returns after the mark was written.

        Raises
        ------
        DeskError
            If there is no such answer, or a value of the request is not allowed.
        ChangedError
            If the answer or its mark has changed since the marker saw it.
        """
        who = marker(told.get("who"))
        # raise an error for an unknown answer before `join` gives a new marker answers to mark
        self.answer(item, number, who)
        self.join(who)
        with self._marks() as marks, self.record.locked():
            place = self._place(item, number, marks)
            mark = _mark(told, who, place)
            data = {"item": item, "number": number, **asdict(mark)}
            del data["who"]
            if told.get("seen") != place.seen(who):
                # if the reply to a request was lost, the page sends the same mark again. The answer
                # already has this mark then, which is no error
                if not _equal(place.shown_to(who), mark):
                    raise ChangedError(place.told(who))
            elif place.is_second(who):
                self.record.add(event("again", who, **data))
            else:
                kind = "settled" if told.get("settles") or place.pair else "marked"
                with self.record.intended(event(kind, who, **data)):
                    marks.write(item, place.student, mark.points, mark.comment)
            return self._place(item, number, marks).told(who)

    def _marks(self) -> Marks:
        """Return the gradebook of the assignment, to be opened by a ``with`` statement."""
        return Marks(course_api(self.course), self.assignment)

    @property
    def _piles(self) -> Piles:
        """Who marks which answer, computed from all events that the record has now."""
        events = self.record.events()
        # start again if the record no longer begins with the events that were read before, because
        # a backup was restored
        if events[: len(self._taken)] != self._taken:
            self._known, self._taken = Piles(), []
        for happened in events[len(self._taken) :]:
            self._known.take(happened)
        self._taken = events
        return self._known

    def _arrived(self, item: str | None = None) -> dict[str, dict[str, Answer]]:
        """Assign new answers to markers; return all answers by item and student.

        First, complete a mark whose writing was interrupted by a crash.

        Raises
        ------
        DeskError
            If the given item has no answers.
        """
        found = read_answers(self.store)
        if item is not None and item not in found:
            raise DeskError(_("no written answers to {item} were graded yet", item=item[:100]))
        if self.record.pending.exists() or self._new(found):
            with self.record.locked():
                self._mend()
                numbers = self._piles.numbers
                unknown = {one for those in found.values() for one in those} - numbers.keys()
                if unknown:
                    new = new_numbers(sorted(unknown), numbers.values(), _CHANCE)
                    self.record.add(event("numbered", "", numbers=new))
                for name, arrived in self._new(found).items():
                    _CHANCE.shuffle(arrived)
                    self.record.add(event("answers", "", item=name, numbers=arrived))
        return found

    def _new(self, found: Mapping[str, Mapping[str, Answer]]) -> dict[str, list[int | None]]:
        """Return, by item, the numbers of students whose answers are not in the record yet.

        None stands for a student who has no number yet. Blank answers are left out.
        """
        piles, new = self._piles, {}
        for item, those in found.items():
            numbers = [piles.numbers.get(one) for one, answer in those.items() if not answer.blank]
            new[item] = [number for number in numbers if number not in piles.answers[item]]
        return {item: numbers for item, numbers in new.items() if numbers}

    def _mend(self) -> None:
        """Finish writing a mark into the gradebook and the record, if a crash interrupted this.

        The mark is dropped if the answer has changed since the marker saw it, or if the gradebook
        has another mark for the answer.
        """
        happened = self.record.unfinished()
        if happened is not None:
            item, mark = str(happened.data["item"]), happened.mark()
            with self._marks() as marks, contextlib.suppress(DeskError):
                place = self._place(item, int(happened.data["number"]), marks)
                if place.entry.seen(place.answer.digest) == mark.seen:
                    marks.write(item, place.student, mark.points, mark.comment)
                    self.record.add(happened)
                elif place.entry.marked and _equal(place.entry, mark):
                    self.record.add(happened)
        self.record.finished()

    def _places(self, item: str, marks: Marks) -> list[_Place]:
        """Return the answers to an item, sorted by the number that stands for the student.

        Blank answers, answers that the gradebook lacks, and answers of students who withdrew are
        left out.
        """
        entries, answers = marks.entries(item), read_answers(self.store).get(item, {})
        piles, gone = self._piles, marks.decisions.withdrawn
        students = {number: student for student, number in piles.numbers.items()}
        dealt = ((n, students[n]) for n in sorted(piles.answers[item]) if n in students)
        return [
            _Place((item, n), one, answers[one], entries[one], piles)
            for n, one in dealt
            if one in entries and one in answers and one not in gone and not answers[one].blank
        ]

    def _place(self, item: str, number: int, marks: Marks) -> _Place:
        """Return the answer to an item by the student with this number, or raise DeskError."""
        for place in self._places(item, marks):
            if place.key == (item, number):
                return place
        raise DeskError(_("there is no answer {number} to {item}", number=number, item=item))


def _progress(places: Sequence[_Place], who: str = "") -> dict[str, int]:
    """Return how many of the given answers are marked, and how many answers there are.

    Parameters
    ----------
    who
        The marker whose progress is counted. If this is the second marker of an answer, only the
        second mark counts until both marks are there (see `_Place.state`). With "", the marks in
        the gradebook count.
    """
    return {"done": sum(p.state(who) == "marked" for p in places), "total": len(places)}


def _comments(places: Sequence[_Place], who: str) -> list[str]:
    """Return the most frequent comments on answers so far, as suggestions for a marker.

    The comment of a mark counts only if `who` may see the mark already.
    """
    given = (mark.comment for place in places if (mark := place.shown_to(who)) is not None)
    return [text for text, _count in Counter(filter(None, given)).most_common(SUGGESTED)]


def _criteria(scheme: str) -> list[list[dict[str, Any]]]:
    """Return the choices that each line of a marking scheme offers to a marker.

    A choice has points, a label such as "2 points", and a criterion as HTML.
    """
    locked = {"cell": {"metadata": {"nbgrader": {"locked": True}}}}

    def choice(points: float, words: str, first: bool) -> dict[str, Any]:
        or_ = _n("or {count:g} point", "or {count:g} points", points)
        label = _n("{count:g} point", "{count:g} points", points) if first else or_
        html = rendered(locked, words).strip().removeprefix("<p>").removesuffix("</p>")
        return {"points": points, "label": label, "html": html}

    return [[choice(*one, one == line[0]) for one in line] for line in read_lines(scheme)]


def _shown(mark: Mark) -> dict[str, Any]:
    """Return the fields of a mark that the marking page shows."""
    return {name: getattr(mark, name) for name in ("who", "points", "lines", "comment")}


def _equal(one: Mark | Entry | None, other: Mark) -> bool:
    """Return whether two marks have the same points and the same comment."""
    return one is not None and (one.points, one.comment) == (other.points, other.comment)


def _mark(told: Mapping[str, Any], who: str, place: _Place) -> Mark:
    """Return the mark that the data of a request describe.

    Parameters
    ----------
    told
        The data of the request, as `Desk.mark` takes them.
    who
        The person who marks.
    place
        The answer to be marked.

    Raises
    ------
    DeskError
        If a value is not allowed; the text names the value.
    """
    answer, seen = place.answer, place.entry.seen(place.answer.digest)
    points, comment, lines = told.get("points"), told.get("comment", ""), told.get("lines", [])
    was, most = repr(points)[:60], answer.points
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points <= most:
        raise DeskError(_("the points must be from 0 to {most:g}, got {was}", most=most, was=was))
    if not isinstance(comment, str) or len(comment) > COMMENT_CHARACTERS:
        longest = COMMENT_CHARACTERS
        raise DeskError(_("the comment must be a text of at most {most} characters", most=longest))
    if lines != [] and _worth(lines, answer) != round(points, 9):
        was = repr(lines)[:60]
        raise DeskError(_("the lines must fit the scheme and the points, got {was}", was=was))
    return Mark(who, float(points), comment.strip(), answer.digest, tuple(lines), seen)


def _worth(lines: object, answer: Answer) -> float | None:
    """Return the points that choices in a marking scheme earn; None for impossible choices.

    Parameters
    ----------
    lines
        For each line of the scheme, the number of the choice that the marker took: 0 for no
        points, 1 for all points of the line, 2 and more for the line's alternatives.
    answer
        The answer, which has the scheme of its item.
    """
    criteria = read_lines(answer.scheme)
    if not isinstance(lines, list) or len(lines) != len(criteria):
        return None
    chosen = list(zip(lines, criteria, strict=True))
    if any(type(n) is not int or not 0 <= n <= len(line) for n, line in chosen):
        return None
    return round(sum((line[n - 1][0] for n, line in chosen if n), 0.0), 9)
