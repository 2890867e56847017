"""The desk of one assignment: what a marker may see and do, question by question.

It brings together the answers (`dpteach.term.marking.answers`), the gradebook
(`dpteach.term.marking.marks`) and the record of who marked what (`dpteach.term.marking.record`).
Students appear under a number; only `Desk.names` tells who they are.
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
from dpteach.grading.course.gradebook import called
from dpteach.grading.course.store import Store
from dpteach.grading.pages.formgrader import rendered
from dpteach.term.marking.agreement import agreement
from dpteach.term.marking.answers import Answer, read_answers
from dpteach.term.marking.marks import Entry, Marks
from dpteach.term.marking.piles import Key, Piles, new_numbers
from dpteach.term.marking.record import Event, Mark, Record, event

_, _n = catalog("term")

#: the most characters of a marker's name and of a comment
NAME_CHARACTERS: Final = 40
COMMENT_CHARACTERS: Final = 5000

#: how many earlier comments are suggested
SUGGESTED: Final = 30

_CHANCE: Final = secrets.SystemRandom()


class DeskError(ValueError):
    """The reason why a request cannot be done: an unknown answer, or a value out of range."""


class ChangedError(Exception):
    """The answer or its mark has changed since the marker saw it; `now` is what it is now."""

    def __init__(self, now: dict[str, Any]) -> None:
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
        most, was = NAME_CHARACTERS, repr(name)[:50]
        raise DeskError(_("a name has 1 to {most} characters, got {was}", most=most, was=was))
    return words


@dataclass(frozen=True)
class _Place:
    """One answer on the desk, with everything that is known about it."""

    key: Key
    student: str
    answer: Answer
    entry: Entry
    piles: Piles

    @property
    def hands(self) -> tuple[str, ...]:
        """The names of those who mark it."""
        return self.piles.hands(self.key)

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
        told = self.piles.counted.get(self.key)
        if told and _equal(self.entry, told):
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
        """Return the fingerprint of what a person sees of the answer and of the gradebook's entry.

        A person who gives the second mark sees an answer without a mark. Who marks first and who
        second may change while that person has the answer on the screen: their mark is accepted as
        long as it would replace none.
        """
        entry = Entry(None, "", True) if self.is_second(who) else self.entry
        return entry.seen(self.answer.digest)

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

    def listed(self, who: str) -> dict[str, Any]:
        """Return what the list of answers shows a person about it."""
        number, hands = self.key[1], self.hands
        return {"number": number, "state": self.state(who), "mine": who in hands, "hands": hands}

    def told(self, who: str) -> dict[str, Any]:
        """Return all that the page shows a person about it."""
        mark = self.shown_to(who)
        about = {"mark": _shown(mark) if mark else None, "seen": self.seen(who)}
        return {**self.listed(who), **self.answer.page(), **about}


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
        self.store = Store(course, assignment)
        self._known, self._taken = Piles(), list[Event]()

    def items(self) -> list[dict[str, Any]]:
        """Return each item that a person marks, with how many answers it has and are marked."""
        found = self._arrived()
        with self._marks() as marks:
            return [{"name": item, **_progress(self._places(item, marks))} for item in found]

    def item(self, item: str, who: str) -> dict[str, Any]:
        """Return what the page shows about an item to a person.

        Raises
        ------
        DeskError
            If there is no such item.
        """
        found = self._arrived(item)
        with self._marks() as marks:
            places = self._places(item, marks)
        one = next(iter(found[item].values()))
        mine = {name: [p for p in places if name in p.hands] for name in self._piles.markers}
        return {
            "name": item,
            "points": one.points,
            "criteria": _criteria(one.scheme),
            "answers": [place.listed(who) for place in places],
            "markers": [{"name": name, **_progress(those, name)} for name, those in mine.items()],
            "comments": _comments(places, who),
            **_progress(places),
            **_agreed(places),
        }

    def answer(self, item: str, number: int, who: str) -> dict[str, Any]:
        """Return one answer, with its mark if this person may see it.

        Raises
        ------
        DeskError
            If there is no such answer.
        """
        self._arrived(item)
        with self._marks() as marks:
            return self._place(item, number, marks).told(who)

    def join(self, who: str) -> None:
        """Deal answers to a person, who is new or has a pile already."""
        self._arrived()
        if who not in self._piles.markers:
            with self.record.locked():
                self.record.add(event("joined", who))

    def take(self, item: str, who: str) -> list[int]:
        """Give a person half of the unmarked answers of the fullest pile; return their numbers."""
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
        """Return the student behind each number; the record keeps who asked for it."""
        self._arrived()
        with self._marks() as marks, self.record.locked():
            self.record.add(event("names", who))
            names = marks.names()
        return {n: called(one, names.get(one, "")) for one, n in self._piles.numbers.items()}

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
        self.answer(item, number, who)  # an unknown one is refused before somebody gets a pile
        self.join(who)
        with self._marks() as marks, self.record.locked():
            place = self._place(item, number, marks)
            mark = _mark(told, who, place)
            data = {"item": item, "number": number, **asdict(mark)}
            del data["who"]
            if told.get("seen") != place.seen(who):
                # if the mark is there already, an earlier request was written and its reply lost
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
        return Marks(course_api(self.course), self.assignment)

    @property
    def _piles(self) -> Piles:
        """The piles as the record has them now."""
        events = self.record.events()
        if events[: len(self._taken)] != self._taken:  # the file was replaced, as by a backup
            self._known, self._taken = Piles(), []
        for happened in events[len(self._taken) :]:
            self._known.take(happened)
        self._taken = events
        return self._known

    def _arrived(self, item: str | None = None) -> dict[str, dict[str, Answer]]:
        """Return all answers by item and student, after dealing new ones.

        A mark that a crash has interrupted is completed first. An item that has no answers is
        refused.
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
        """Return, by item, the numbers of the students whose written answers are not in the record
        yet. The number is None for a student who has none yet.
        """
        piles, new = self._piles, {}
        for item, those in found.items():
            numbers = [piles.numbers.get(one) for one, answer in those.items() if not answer.blank]
            new[item] = [number for number in numbers if number not in piles.answers[item]]
        return {item: numbers for item, numbers in new.items() if numbers}

    def _mend(self) -> None:
        """Write the mark that a crash kept from the gradebook or from the record."""
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
        """Return the answers to an item in the gradebook, in the order of the numbers.

        Those of students who withdrew are left out.
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
        for place in self._places(item, marks):
            if place.key == (item, number):
                return place
        raise DeskError(_("there is no answer {number} to {item}", number=number, item=item))


def _progress(places: Sequence[_Place], who: str = "") -> dict[str, int]:
    """Return how many answers a person, or the gradebook, has marked."""
    return {"done": sum(p.state(who) == "marked" for p in places), "total": len(places)}


def _comments(places: Sequence[_Place], who: str) -> list[str]:
    """Return earlier comments, the most frequent first, without those on this person's sample.

    A comment on an answer that this person will mark for the second time would tell about it.
    """
    given = (mark.comment for place in places if (mark := place.shown_to(who)) is not None)
    return [text for text, _count in Counter(filter(None, given)).most_common(SUGGESTED)]


def _criteria(scheme: str) -> list[list[dict[str, Any]]]:
    """Return what each choice among the lines of a scheme earns, in words, and its text."""
    locked = {"cell": {"metadata": {"nbgrader": {"locked": True}}}}

    def choice(points: float, words: str, first: bool) -> dict[str, Any]:
        or_ = _n("or {count:g} point", "or {count:g} points", points)
        label = _n("{count:g} point", "{count:g} points", points) if first else or_
        html = rendered(locked, words).strip().removeprefix("<p>").removesuffix("</p>")
        return {"points": points, "label": label, "html": html}

    return [[choice(*one, one == line[0]) for one in line] for line in read_lines(scheme)]


def _shown(mark: Mark) -> dict[str, Any]:
    return {name: getattr(mark, name) for name in ("who", "points", "lines", "comment")}


def _equal(one: Mark | Entry | None, other: Mark) -> bool:
    return one is not None and (one.points, one.comment) == (other.points, other.comment)


def _agreed(places: list[_Place]) -> dict[str, Any]:
    """Return how well the two marks of the sample agree, and where they do not."""
    pairs = [pair for place in places if (pair := place.pair)]
    found = agreement([a.points for a, _b in pairs], [b.points for _a, b in pairs])
    return {
        "agreement": found,
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
    """Return what choices among the lines of a scheme earn; None if they do not fit the scheme."""
    criteria = read_lines(answer.scheme)
    if not isinstance(lines, list) or len(lines) != len(criteria):
        return None
    chosen = list(zip(lines, criteria, strict=True))
    if any(type(n) is not int or not 0 <= n <= len(line) for n, line in chosen):
        return None
    return round(sum((line[n - 1][0] for n, line in chosen if n), 0.0), 9)
