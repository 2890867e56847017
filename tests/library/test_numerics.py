"""Tests of the directed rounding on which the bounds of the library rely."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpteach
from dpteach import PLD, Guarantee, _numerics, audit, composition, filters
from dpteach.accounting import curves
from dpteach.calibration import best_order
from dpteach.mechanisms import classical


@pytest.mark.parametrize("size", [1e-300, 1e-3, 1.0, 1.5, 1e300])
@pytest.mark.parametrize("exponent", [0.0, 700.0])
def test_up_is_above_by_the_margin_on_both_sides_of_zero(size: float, exponent: float) -> None:
    margin = Fraction(size) * Fraction(_numerics.MARGIN) * Fraction(1 + exponent)
    for value in (size, -size):
        rise = Fraction(_numerics.up(value, exponent)) - Fraction(value)
        assert 0.9 * margin < rise < 1.1 * margin


def test_up_is_above_the_least_floats() -> None:
    for value in (5e-324, 1e-310, -1e-310):
        assert _numerics.up(value) > value
    assert _numerics.up(0.0) == 0


def test_products_beyond_the_floats_are_infinite() -> None:
    assert _numerics.product_up(1e300, 1e300) == math.inf
    assert _numerics.quotient_up(1e300, 1e-300) == math.inf
    assert _numerics.total([1e308, 1e308]) == math.inf


def test_the_ratio_of_two_zeros_tells_nothing() -> None:
    zeros = np.array([0.0, 0.0, 0.5])
    assert _numerics.log_ratio(zeros, zeros[::-1]).tolist() == [-math.inf, 0.0, math.inf]


#: the library rounds each number up, by a multiple of the relative margin `_numerics.MARGIN`. For
#: each call of the library, this dictionary lists the multiple for each number in the result. A
#: multiple changes if the library loses a margin or gives it the wrong sign; the number itself
#: changes too little for a test to notice. After an intended change of a margin, the failing test
#: shows the new multiple
MARGINS = json.loads((Path(__file__).parent / "data" / "margins.json").read_text())

RNG = np.random.default_rng(1)
NAMES: dict[str, Any] = {
    **vars(dpteach),
    **vars(classical),
    "math": math,
    "inf": math.inf,
    "audit": audit,
    "best_order": best_order,
    "composition": composition,
    "curves": curves,
    "filters": filters,
    "A": RNG.normal(0, 1, 4000),
    "B": RNG.normal(1, 1, 4000),
}


def numbers_of(value: Any) -> list[float]:
    """Return all numbers in a result; for a privacy loss distribution, delta at two epsilons."""
    if isinstance(value, PLD):
        return [value.delta_at(0.3), value.delta_at(2.0)]
    if isinstance(value, Guarantee):
        return numbers_of(value._numbers())
    if isinstance(value, (bool, str, Enum)) or value is None:
        return []
    if isinstance(value, (list, tuple, np.ndarray)):
        return [number for part in value for number in numbers_of(part)]
    if is_dataclass(value):
        return [x for field in fields(value) for x in numbers_of(getattr(value, field.name))]
    return [float(value)]


@pytest.mark.parametrize("call", MARGINS)
def test_no_margin_is_lost(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = np.array(numbers_of(eval(call, NAMES)))
    unit = 1e-9
    growth = unit - _numerics.MARGIN
    monkeypatch.setattr(_numerics, "MARGIN", unit)
    monkeypatch.setattr(curves, "_SUM_MARGIN", 2 * unit)
    after = np.array(numbers_of(eval(call, NAMES)))
    there = np.isfinite(before) & (before != 0)
    assert np.array_equal(after[~there], before[~there])
    found = np.zeros(before.size)
    found[there] = (after[there] / before[there] - 1) / growth
    assert found.tolist() == pytest.approx(MARGINS[call], rel=1e-3, abs=0.02)
