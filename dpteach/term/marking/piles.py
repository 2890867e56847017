"""Who marks which answers (each person's pile), and which answers two people mark (the sample).

`agreement` compares the two marks of the answers in the sample.

The piles are computed only from the events in the record of marking
(`dpteach.term.marking.marks`), so they are the same after a restart. An answer is identified by
its item and by the number that stands for the student.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

from dpteach.term.marking.marks import Event, Mark

#: two people mark this share of the answers to each item, but at least this number of answers
SHARE: Final = Fraction(1, 10)
LEAST: Final = 5

#: the identification of an answer: its item, and the number that stands for the student
Key = tuple[str, int]


@dataclass
class Piles:
    """Who marks which answer of an assignment, and all marks so far.

    Attributes
    ----------
    numbers
        The number that stands for each student, by the student's id.
    markers
        The names of the people who mark, in the order in which they joined.
    answers
        For each item, the numbers of the students with an answer, in the order of arrival.
    owner
        The first marker of each answer.
    sample
        The answers that two people mark.
    second
        The second marker of each answer in the sample.
    first, again, settled
        For each answer, the latest mark by the first marker, by the second marker, and by
        agreement of the two. The gradebook never gets the second marker's mark.
    counted
        For each answer, the latest mark that was written into the gradebook.
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
        """Return the names of the people who mark an answer: the first and the second, if any."""
        return tuple(hand[key] for hand in (self.owner, self.second) if key in hand)

    def take(self, event: Event) -> None:
        """Update this object by the next event of the record of marking, such as a new mark."""
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
        """Add new answers to an item, and some of them to the sample if it is too small.

        Two people mark each answer in the sample. Last, `_deal` assigns the answers to markers.
        """
        known = self.answers[item]
        new = [n for n in numbers if n not in known]
        known += new
        size = max(LEAST, math.ceil(SHARE * len(known)))
        missing = size - sum((item, n) in self.sample for n in known)
        self.sample |= {(item, n) for n in new[: max(missing, 0)]}
        self._deal(item)

    def _deal(self, item: str) -> None:
        """Assign missing first markers to an item's answers, and second markers in the sample.

        The person who marks fewest of these answers is assigned each time.
        """
        for n in self.answers[item]:
            key = item, n
            if self.markers and key not in self.owner:
                self.owner[key] = self._fewest(item, self.owner, self.markers)
            others = [who for who in self.markers if who != self.owner.get(key)]
            if key in self.sample and key not in self.second and others:
                self.second[key] = self._fewest(item, self.second, others)

    def _fewest(self, item: str, hand: dict[Key, str], among: Sequence[str]) -> str:
        """Return the person who is the first (or second) marker of the fewest answers to an item.

        Parameters
        ----------
        item
            The item.
        hand
            The table to count in: `owner` for first markers, `second` for second markers.
        among
            The people to choose from.
        """
        counts = Counter(who for (of, _n), who in hand.items() if of == item)
        return min(among, key=counts.__getitem__)

    def _give(self, key: Key, who: str) -> None:
        """Make a person the first marker of an answer.

        If the person was to be the second marker, another person becomes the second marker.
        """
        self.owner[key] = who
        if self.second.get(key) == who and key not in self.again:
            del self.second[key]
            self._deal(key[0])

    def _share(self, who: str, item: str) -> None:
        """Give a new marker an even share of the other markers' unmarked answers to an item.

        Each answer comes from the marker with the most unmarked answers. The answers in the
        sample, which two people mark, are also divided evenly. For each answer in the sample
        without a second mark, the second marker is chosen anew.
        """

        def left(one: str, *, sampled: bool | None = None) -> list[int]:
            """Return a person's unmarked answers: all, only in the sample, or only outside it."""
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
    """Return a new random number, of three or more digits, for each student.

    Parameters
    ----------
    students
        The ids of the students.
    taken
        The numbers that stand for other students already.
    draw
        The generator of random numbers.
    """
    used, end = set(taken), 1000
    # take more digits if needed, so that most numbers stay free
    while end < 4 * (len(used) + len(students)):
        end *= 10
    free = [number for number in range(end // 10, end) if number not in used]
    return dict(zip(students, draw.sample(free, len(students)), strict=True))


def agreement(first: Sequence[float], second: Sequence[float]) -> dict[str, float | None] | None:
    """Return measures of how well two markers agree; None if no answer has two marks.

    One measure is the weighted kappa of Cohen (1968) with quadratic weights, which is 1 - a / b.
    Here a is the mean squared difference between the two marks of the same answer, and b the mean
    squared difference between the first mark of any answer and the second mark of any answer.

    Parameters
    ----------
    first, second
        The points of the first and of the second mark of each answer, in the same order.

    Returns
    -------
    dict
        ``count`` is the number of answers, ``difference`` the mean of the first mark minus the
        second, ``distance`` the mean absolute difference of the two marks, ``equal`` the share of
        answers with two equal marks, from 0 to 1, and ``kappa`` the weighted kappa, at most 1.
        Kappa is None if all marks of all answers are equal, because a / b is then 0 / 0.

    Examples
    --------
    >>> agreement([1, 2, 3, 4], [1, 2, 3, 3])
    {'count': 4, 'difference': 0.25, 'distance': 0.25, 'equal': 0.75, 'kappa': 0.875}
    >>> agreement([1, 1], [1, 1])["kappa"] is None
    True
    """
    apart = [a - b for a, b in zip(first, second, strict=True)]
    if not apart:
        return None
    count = len(apart)
    by_chance = sum((a - b) ** 2 for a in first for b in second) / count
    return {
        "count": count,
        "difference": sum(apart) / count,
        "distance": sum(map(abs, apart)) / count,
        "equal": sum(abs(one) < 1e-9 for one in apart) / count,
        "kappa": 1 - sum(one**2 for one in apart) / by_chance if by_chance else None,
    }
