"""Tests of bad input that involves several arguments; `test_bad_input` tries single arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from claims import CLAIMS

import dpteach
from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    KaryRandomizedResponse,
    Laplace,
    MutualInformationDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    calibrate,
    convert,
    divergences,
)

NAN, INF = math.nan, math.inf
RNG = np.random.default_rng(0)


P, Q = [0.75, 0.25], [0.25, 0.75]
#: names of parameters of the library that accept either one number or a sequence of numbers
SEQUENCES = {"orders", "epsilons", "points", "deltas"} | {
    f"{prefix}{name}" for prefix in ("", "reversed_") for name in ("losses", "masses")
}


@pytest.mark.parametrize(
    ("size", "told"), [(78, "'" + 78 * "x" + "'"), (79, "'" + 76 * "x" + "...")]
)
def test_what_is_shown_has_80_characters(size: int, told: str) -> None:
    with pytest.raises(TypeError) as error:
        PureDP("x" * size)  # type: ignore[arg-type]
    assert f"epsilon={told} " in str(error.value) + " "


def test_lengths_differ() -> None:
    for function in (divergences.kl_divergence, DiscreteLoss):
        with pytest.raises(ValueError, match="length 2 and q of length 3"):
            function([0.5, 0.5], [0.5, 0.25, 0.25])
    with pytest.raises(ValueError, match="2 orders and 1 epsilons"):
        RenyiDP([2, 3], [1])
    with pytest.raises(ValueError, match="orders must be distinct"):
        RenyiDP([2, 2.0], [1, 1])
    with pytest.raises(ValueError, match="at least one"):
        RenyiDP([], [])


@pytest.mark.parametrize("k", [0, -5, 2.5, 2.0, "3", None, NAN, True])
@pytest.mark.parametrize("guarantee", CLAIMS, ids=repr)
def test_bad_count(guarantee: dpteach.Guarantee, k: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"k must be an integer >= 1, got k="):
        guarantee.self_compose(k)
    with pytest.raises((ValueError, TypeError), match=r"size must be an integer >= 1, got size="):
        guarantee.group(k)


@pytest.mark.parametrize("mechanism", [Laplace(1), Gaussian(1), RandomizedResponse(1)])
@pytest.mark.parametrize("value", [NAN, INF, "x", None, [1, "x"], [[1], [1, 2]], 1j, []])
def test_bad_value_to_release(mechanism: dpteach.Mechanism, value: Any) -> None:
    if isinstance(value, list) and not value:
        assert mechanism.release(value, rng=RNG).shape == (0,)
        return
    with pytest.raises((ValueError, TypeError), match=r"^value must .*got value="):
        mechanism.release(value, rng=RNG)


@pytest.mark.parametrize("rng", [None, 0, np.random.RandomState(0), np.random])
def test_bad_generator(rng: Any) -> None:
    for mechanism in (Laplace(1), Gaussian(1), RandomizedResponse(1)):
        with pytest.raises(TypeError, match=r"^rng must be a numpy.random.Generator"):
            mechanism.release(0, rng=rng)


def test_bad_adjacency() -> None:
    for make in (lambda a: PureDP(1, adjacency=a), lambda a: Gaussian(1, adjacency=a)):
        with pytest.raises(TypeError, match="adjacency must be of type Adjacency, got adjacency="):
            make("add")


def test_compositions_that_are_not() -> None:
    with pytest.raises(TypeError, match="convert it first"):
        PureDP(1).compose(ZCDP(1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="same neighbors"):
        PureDP(1).compose(PureDP(1, adjacency=dpteach.Adjacency.REPLACE_ONE))
    with pytest.raises(ValueError, match="same orders"):
        RenyiDP(2, 1).compose(RenyiDP(3, 1))
    with pytest.raises(ValueError, match="same order"):
        AlphaDP(2, 1).compose(AlphaDP(3, 1))
    with pytest.raises(ValueError, match="power of two below the order"):
        AlphaDP(20, 1).group(3)
    with pytest.raises(ValueError, match="power of two below the order"):
        AlphaDP(4, 1).group(4)


def test_conversions_that_are_not() -> None:
    with pytest.raises(TypeError, match="claim must be of type Guarantee"):
        convert(1.0, to=ZCDP)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="to must be a notion"):
        convert(PureDP(1), to=float)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="AlphaDP -> RenyiDP -> MutualInformationDP"):
        convert(AlphaDP(2, 1), to=MutualInformationDP)
    with pytest.raises(ValueError, match="by must be one of 'Steinke', 'Bun-Steinke'"):
        convert(PureDP(1), to=ZCDP, by="nobody")
    with pytest.raises(TypeError, match="takes orders: missing"):
        convert(ZCDP(1), to=RenyiDP)
    with pytest.raises(TypeError, match="takes no arguments"):
        convert(PureDP(1), to=ZCDP, delta=1e-5)
    with pytest.raises(TypeError, match="epsilon and delta must be given one at a time"):
        convert(ZCDP(1), to=ApproxDP)
    with pytest.raises(ValueError, match=r"implies no epsilon there, got delta=0.0"):
        convert(ZCDP(1), to=ApproxDP, delta=0)
    with pytest.raises(ValueError, match="largest order"):
        convert(RenyiDP(2, 1), to=AlphaDP, order=3)
    with pytest.raises(ValueError, match="finite epsilon"):
        convert(AlphaDP(2, INF), to=RenyiDP)
    with pytest.raises(ValueError, match="must not both be infinite"):
        convert(ApproxDP(0, 0.1), to=MutualInformationDP, output_size=INF, input_size=INF)
    with pytest.raises(ValueError, match="order in"):
        convert(RenyiDP(1, 1), to=ApproxDP, by="Mironov", delta=0.1)


def test_theorems_that_are_not() -> None:
    with pytest.raises(TypeError, match=r"notion must be one with a theorem about Gaussian"):
        Gaussian(1).guarantee(PureDP)
    with pytest.raises(TypeError, match="missing"):
        Gaussian(1).guarantee(RenyiDP)
    with pytest.raises(ValueError, match="orders must be finite"):
        Gaussian(1).guarantee(RenyiDP, orders=INF)


def test_calibrations_that_are_not() -> None:
    with pytest.raises(TypeError, match="mechanism must be"):
        calibrate(int, PureDP(1))  # type: ignore[type-var]
    with pytest.raises(TypeError, match="target must be of type Guarantee"):
        calibrate(Gaussian, 1.0)  # type: ignore[arg-type]
    for mechanism, target in (
        (Gaussian, PureDP(1)),
        (Laplace, GaussianDP(1)),
        (Laplace, MutualInformationDP(1)),
    ):
        with pytest.raises(TypeError, match="can be calibrated to"):
            calibrate(mechanism, target)  # type: ignore[type-var]
    for mechanism, target in (
        (Gaussian, ApproxDP(1, 0)),
        (Gaussian, ApproxDP(1, 1)),
        (Gaussian, ZCDP(0)),
        (Gaussian, RenyiDP(INF, 1)),
        (Laplace, PureDP(0)),
        (Laplace, ApproxDP(1, 1)),
    ):
        with pytest.raises(ValueError, match="target must"):
            calibrate(mechanism, target)
    with pytest.raises(ValueError, match="sensitivity must be 1"):
        calibrate(RandomizedResponse, PureDP(1), sensitivity=2.0)
    with pytest.raises(ValueError, match="sensitivity must be 1"):
        calibrate(lambda sigma: Gaussian(sigma), ApproxDP(1, 1e-5), sensitivity=2.0)


@pytest.mark.parametrize("several", [np.array([0.5, 0.5]), [0.5], np.ma.masked])
@pytest.mark.parametrize("name", ["epsilon", "delta"])
def test_points_of_a_profile_are_asked_for_one_at_a_time(name: str, several: Any) -> None:
    for mechanism in (DiscreteGaussian(1), DiscreteLaplace(1), Gaussian(1), Laplace(1)):
        with pytest.raises((TypeError, ValueError), match=f"^{name} must .*, got {name}="):
            mechanism.guarantee(ApproxDP, **{name: several})


def test_masked_entries_are_not_used_like_the_rest() -> None:
    masked = np.ma.array([1.0, 0.0], mask=[True, False])
    with pytest.raises(ValueError, match=r"^value must have no masked entries"):
        dpteach._check.array("value", masked)
    assert dpteach._check.array("value", np.ma.array([1.0, 0.0])).tolist() == [1.0, 0.0]
    for many in (np.ma.masked, masked, np.ma.array(0.5, mask=True), [np.ma.masked]):
        with pytest.raises(ValueError, match=r"^epsilons(\[0\])? must have no masked entries"):
            RenyiDP(2.0, many)
    for one in (np.ma.masked, np.ma.array(1, mask=True)):
        with pytest.raises(ValueError, match=r"^epsilon must have no masked entries"):
            PureDP(one)
        with pytest.raises(ValueError, match=r"^k must have no masked entries"):
            PureDP(1.0).self_compose(one)
    assert RenyiDP([2, 3], np.ma.array([1.0, 2.0])) == RenyiDP([2, 3], [1.0, 2.0])
    answers = np.ma.array([1, 0], mask=[True, False])
    with pytest.raises(ValueError, match=r"^value must have no masked entries"):
        KaryRandomizedResponse(1.0, 3).release(answers, rng=np.random.default_rng(0))


def test_an_array_without_dimensions_is_a_number() -> None:
    assert Gaussian(np.array(2.0)) == Gaussian(2.0)
    assert DiscreteGaussian(np.array(2)) == DiscreteGaussian(2.0)
    assert RenyiDP(np.array(2.0), np.array(0.5)) == RenyiDP(2.0, 0.5)
    assert PureDP(np.array(0.5)).self_compose(np.array(3)) == PureDP(1.5)
    assert PureDP(0.5).delta_at(np.array(0.1)) == PureDP(0.5).delta_at(0.1)
    with_arrays = convert(ZCDP(np.array(0.1)), to=ApproxDP, delta=np.array(1e-5))
    assert with_arrays == convert(ZCDP(0.1), to=ApproxDP, delta=1e-5)
    for value in (np.array(True), np.array("2"), np.array(2j), np.array([2.0])):
        with pytest.raises(TypeError, match="sigma must be a real number"):
            Gaussian(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no masked entries"):
        Gaussian(np.ma.array(1.0, mask=True))
