"""All kinds of checks, by the word ``kind`` of their parts: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpteach.grading.kinds.attack.judge import ATTACK
from dpteach.grading.kinds.design.judge import DESIGN
from dpteach.grading.kinds.hand.judge import HAND
from dpteach.grading.kinds.kind import Kind
from dpteach.grading.kinds.property.judge import PROPERTY
from dpteach.grading.kinds.random.judge import RANDOM
from dpteach.grading.kinds.repair.judge import REPAIR
from dpteach.grading.kinds.tests.judge import TESTS
from dpteach.grading.kinds.values.judge import VALUES
from dpteach.grading.kinds.witness.judge import WITNESS

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
