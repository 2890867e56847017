"""Tests that the limits of grading have the values that courses and the guide rely on."""

from __future__ import annotations

from typing import Any

import pytest

from dpteach.grading.core import command, harmless, observe, plain, result
from dpteach.grading.judging import verdict
from dpteach.grading.kinds import implementations, outcomes
from dpteach.grading.kinds.random import distributions, statistics
from dpteach.grading.kinds.random import judge as _judge_random
from dpteach.grading.kinds.tests import replier
from dpteach.grading.sandbox import _process, limits, sandbox
from dpteach.grading.student import validate
from dpteach.grading.submission import intake, repair

LIMITS: dict[Any, dict[str, Any]] = {
    command: {"NOT_DONE": 2},
    harmless: {
        "NAME_CHARACTERS": 80,
        "ERROR_CHARACTERS": 300,
        "NOTEBOOK_BYTES": 100_000,
        "CELL_BYTES": 20_000,
        "PICTURE_BYTES": 60_000,
        "ATTACHED_BYTES": 8_000_000,
        "TEXT_CHARACTERS": 10_000,
        "TEXTS_CHARACTERS": 100_000,
        "LINE_CHARACTERS": 300,
        "CODE_CHARACTERS": 20_000,
        "CODES_CHARACTERS": 100_000,
    },
    observe: {
        "VALUE_SECONDS": 10,
        "RANDOM_SECONDS": 30,
        "KEPT_CHARACTERS": 2_000,
        "LARGE_BYTES": 2**20,
    },
    plain: {
        "MAX_NUMBERS": 1_000_000,
        "MAX_DEPTH": 8,
        "MAX_BITS": 4096,
        "SHOWN_NUMBERS": 12,
        "SHOWN_CHARACTERS": 200,
    },
    result: {"FORMAT": 3},
    _judge_random: {"BINS": 40},
    distributions: {"BEYOND": 1e-20, "LARGEST_SCALE": 10_000},
    outcomes: {"REPEATED": 5},
    statistics: {
        "USED": 0.999,
        "TAIL_COUNT": 30,
        "LAGS": 6,
        "ATOM_COUNT": 20,
        "MOST_ATOMS": 400,
        "NAMED_AT": 1e-6,
    },
    implementations: {"CALL_SECONDS": 2.0, "MEMORY": 2 * 2**30, "IDLE_SECONDS": 60},
    replier: {
        "MAX_REQUESTS": 1_000,
        "MAX_ARGUMENTS": 10_000,
        "MAX_INTEGER": 2**53,
        "KEPT_BYTES": 16 * 2**20,
    },
    verdict: {"WIDTH": 92},
    limits: {"START_SECONDS": 60},
    sandbox: {"_KEPT": 200},
    _process: {"_WATCH_SECONDS": 0.25, "_CLOSED_SECONDS": 1.0, "MAX_VALUES": 4_000_000},
    intake: {
        "MAX_BYTES": 20_000_000,
        "MAX_CELLS": 2_000,
        "MAX_TEXT": 5_000_000,
        "MAX_FILES": 100,
        "MAX_ALL_BYTES": 80_000_000,
    },
    repair: {"MAX_NOTICES": 8, "_PARSED_CHARACTERS": 20_000},
    validate: {"PASSED": 0, "FAILED": 1, "KERNEL": "python3", "CELL_SECONDS": 300},
}


@pytest.mark.parametrize("module", LIMITS, ids=lambda module: module.__name__)
def test_limits(module: Any) -> None:
    assert {name: getattr(module, name) for name in LIMITS[module]} == LIMITS[module]
