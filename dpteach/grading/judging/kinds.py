"""All kinds of checks, by the word ``kind`` of their parts: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpteach.grading.judging._judge_random import RANDOM
from dpteach.grading.judging.attacks import ATTACK
from dpteach.grading.judging.by_hand import HAND
from dpteach.grading.judging.designs import DESIGN
from dpteach.grading.judging.kind import Kind
from dpteach.grading.judging.own_tests import TESTS
from dpteach.grading.judging.repairs import REPAIR
from dpteach.grading.judging.values import PROPERTY, VALUES
from dpteach.grading.judging.witnesses import WITNESS

KINDS: Final[Mapping[str, Kind]] = {
    "values": VALUES,
    "property": PROPERTY,
    "random": RANDOM,
    "tests": TESTS,
    "attack": ATTACK,
    "witness": WITNESS,
    "repair": REPAIR,
    "hand": HAND,
    "design": DESIGN,
}
