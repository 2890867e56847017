"""Who marks which answer: the piles of the markers, and the sample that two people mark.

Everything here follows from the record alone (`dpteach.term.marking.record`), so that it is the
same after a restart. An answer is known by its item and by the number that stands for the student.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

from dpteach.term.marking.record import Event, Mark

#: the share of the answers to an item that two people mark, and how many answers at least
SHARE: Final = Fraction(1, 10)
LEAST: Final = 5

#: an answer: its item, and the number of the student
Key = tuple[str, int]


@dataclass
class Piles:
    """The state of marking an assignment.

    Attributes
    ----------
    numbers
        The number that stands for each student.
    markers
        The names that people entered, in the order in which they came.
    answers
        The answers to each item that have been dealt, or wait until somebody marks.
    owner
        Who marks an answer.
    sample
        The answers that two people mark.
    second
        Who marks an answer of the sample for the second time.
    first, again, settled
        The last mark of each kind: the first person's, the second person's, which only the record
        has, and the one on which the markers agreed afterwards.
    counted
        The last mark that was written into the gradebook, of the first or the third kind.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    markers: list[str] = field(default_factory=list)
    answers: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    owner: dict[Key, str] = field(default_factory=dict)
    sample: set[Key] = field(default_factory=set)
    second: dict[Key, str] = field(default_factory=dict)
    first: dict[Key, Mark] = field(default_factory=dict)
    again: dict[Key, Mark] = field(default_factory=dict)
    settled: dict[Key, Mark] = field(default_factory=dict)
    counted: dict[Key, Mark] = field(default_factory=dict)

    def hands(self, key: Key) -> tuple[str, ...]:
        """Return who marks an answer: one person, or two for the sample; nobody if not dealt."""
        return tuple(hand[key] for hand in (self.owner, self.second) if key in hand)

    def take(self, event: Event) -> None:
        """Change the state by the next event of the record."""
        told = event.data
        match event.kind:
            case "numbered":
                self.numbers |= {str(student): int(n) for student, n in told["numbers"].items()}
            case "answers":
                self._arrive(str(told["item"]), [int(n) for n in told["numbers"]])
            case "joined" if event.who not in self.markers:
                self.markers.append(event.who)
                for item in list(self.answers):
                    self._share(event.who, item)
            case "taken":
                for n in told["numbers"]:
                    self._give((str(told["item"]), int(n)), event.who)
            case "marked" | "again" | "settled" as kind:
                key = str(told["item"]), int(told["number"])
                of_kind = {"marked": self.first, "again": self.again, "settled": self.settled}
                of_kind[kind][key] = event.mark()
                if kind != "again":
                    self.counted[key] = event.mark()
                if kind == "marked":
                    self._give(key, event.who)

    def _arrive(self, item: str, numbers: Sequence[int]) -> None:
        """Deal answers that came, the first of them for the sample until it is large enough."""
        known = self.answers[item]
        new = [n for n in numbers if n not in known]
        known += new
        size = max(LEAST, math.ceil(SHARE * len(known)))
        missing = size - sum((item, n) in self.sample for n in known)
        self.sample |= {(item, n) for n in new[: max(missing, 0)]}
        self._deal(item)

    def _deal(self, item: str) -> None:
        """Give each answer that nobody has to the person with the fewest answers."""
        for n in self.answers[item]:
            key = item, n
            if self.markers and key not in self.owner:
                self.owner[key] = self._fewest(item, self.owner, self.markers)
            others = [who for who in self.markers if who != self.owner.get(key)]
            if key in self.sample and key not in self.second and others:
                self.second[key] = self._fewest(item, self.second, others)

    def _fewest(self, item: str, hand: dict[Key, str], among: Sequence[str]) -> str:
        """Return who of some people has the fewest answers to an item in one of the hands."""
        counts = Counter(who for (of, _n), who in hand.items() if of == item)
        return min(among, key=counts.__getitem__)

    def _give(self, key: Key, who: str) -> None:
        """Give an answer to a person; the second mark of it then is somebody else's."""
        self.owner[key] = who
        if self.second.get(key) == who and key not in self.again:
            del self.second[key]
            self._deal(key[0])

    def _share(self, who: str, item: str) -> None:
        """Give a new person as many unmarked answers as the others have left, sample included."""

        def left(one: str, *, sampled: bool | None = None) -> list[int]:
            mine = (n for n in self.answers[item] if self.owner.get((item, n)) == one)
            unmarked = (n for n in mine if (item, n) not in self.first)
            return [n for n in unmarked if sampled in (None, (item, n) in self.sample)]

        self._deal(item)
        while True:
            fullest = max(self.markers, key=lambda one: len(left(one)))
            if len(left(fullest)) - len(left(who)) < 2:
                break
            sampled, others = left(fullest, sampled=True), left(fullest, sampled=False)
            enough = len(sampled) - len(left(who, sampled=True)) < 2
            self.owner[item, (others if others and enough else sampled)[-1]] = who
        for key in [key for key in self.second if key[0] == item and key not in self.again]:
            del self.second[key]
        self._deal(item)


def new_numbers(students: Sequence[str], taken: Iterable[int], draw: Random) -> dict[str, int]:
    """Return a number of three digits or more for each student, which tells nothing about them.

    Parameters
    ----------
    taken
        The numbers that are in use.
    draw
        Where the numbers come from.
    """
    used, end = set(taken), 1000
    while end < 4 * (len(used) + len(students)):  # there are always enough that are free
        end *= 10
    free = [number for number in range(end // 10, end) if number not in used]
    return dict(zip(students, draw.sample(free, len(students)), strict=True))
