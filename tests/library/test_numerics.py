"""The rounding that the bounds of the library rely on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpteach import _numerics


@pytest.mark.parametrize("size", [1e-300, 1e-3, 1.0, 1.5, 1e300])
@pytest.mark.parametrize("exponent", [0.0, 700.0])
def test_up_is_above_by_the_margin_on_both_sides_of_zero(size: float, exponent: float) -> None:
    margin = Fraction(size) * Fraction(_numerics.MARGIN) * Fraction(1 + exponent)
    for value in (size, -size):
        rise = Fraction(_numerics.up(value, exponent)) - Fraction(value)
        assert 0.9 * margin < rise < 1.1 * margin
