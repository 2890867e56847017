"""All kinds of checks, by the word ``kind`` of their parts: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpteach.grading.judging._judge_random import AUDIT, RANDOM
from dpteach.grading.judging.by_hand import HAND
from dpteach.grading.judging.designs import DESIGN
from dpteach.grading.judging.kind import Kind
from dpteach.grading.judging.own_tests import TESTS
from dpteach.grading.judging.values import PROPERTY, VALUES

KINDS: Final[Mapping[str, Kind]] = {
    "values": VALUES,
    "property": PROPERTY,
    "random": RANDOM,
    "audit": AUDIT,
    "tests": TESTS,
    "hand": HAND,
    "design": DESIGN,
}
