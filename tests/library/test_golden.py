"""Tests of the library against 30-digit values that other software computed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest

from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianDP,
    Laplace,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    amplification,
    calibrate,
    composition,
    conversions,
    divergences,
)

HERE = Path(__file__).parent
# if the folder `shared` beside the project has a longer list of expected values, use it
SHARED = HERE.parents[2] / "shared" / "golden.json"
ROWS = json.loads((SHARED if SHARED.is_file() else HERE / "data" / "golden.json").read_text())

RELATIVE = 1e-12

#: quantities for which the library has no function yet, so no test computes them
LATER: set[str] = set()


def gaussian(sigma: float, sensitivity: float) -> Gaussian:
    return Gaussian(sigma=sigma, sensitivity=sensitivity)


def laplace(scale: float, sensitivity: float) -> Laplace:
    return Laplace(scale=scale, sensitivity=sensitivity)


def response(p: str) -> RandomizedResponse:
    """Return randomized response that tells the truth with probability p, a string of digits.

    The string is read in 50 digits, because 1 - p, computed from the float 0.999999999, has a
    relative error of 3e-8.
    """
    with localcontext() as context:
        context.prec = 50
        truth = Decimal(p)
        return RandomizedResponse(float((truth / (1 - truth)).ln()))


def renyi(mechanism: Any, order: float) -> float:
    (epsilon,) = mechanism.guarantee(RenyiDP, orders=order).epsilons
    return epsilon


def supremum(mechanism: Any) -> float:
    return mechanism.privacy_loss().max()


QUANTITIES: dict[str, Callable[..., float]] = {
    "renyi_gaussian": lambda order, **m: renyi(gaussian(**m), order),
    "renyi_laplace": lambda order, **m: renyi(laplace(**m), order),
    "renyi_randomized_response": lambda order, p: renyi(response(p), order),
    "alpha_gaussian": lambda order, **m: gaussian(**m).guarantee(AlphaDP, order=order).epsilon,
    "alpha_laplace": lambda order, **m: laplace(**m).guarantee(AlphaDP, order=order).epsilon,
    "alpha_randomized_response": lambda order, p: (
        response(p).guarantee(AlphaDP, order=order).epsilon
    ),
    "kl_gaussian": lambda **m: renyi(gaussian(**m), 1),
    "kl_laplace": lambda **m: renyi(laplace(**m), 1),
    "max_laplace": lambda **m: laplace(**m).guarantee(PureDP).epsilon,
    "max_gaussian": lambda **m: supremum(gaussian(**m)),
    "tv_gaussian": lambda **m: gaussian(**m).guarantee(ApproxDP, epsilon=0).delta,
    "tv_laplace": lambda **m: laplace(**m).guarantee(ApproxDP, epsilon=0).delta,
    "max_divergence": divergences.max_divergence,
    "total_variation": divergences.total_variation,
    "renyi": divergences.renyi_divergence,
    "alpha_divergence": divergences.alpha_divergence,
    "hockey_stick": divergences.hockey_stick,
    "kl": divergences.kl_divergence,
    "gaussian_delta": lambda epsilon, **m: gaussian(**m).guarantee(ApproxDP, epsilon=epsilon).delta,
    "laplace_delta": lambda epsilon, **m: laplace(**m).guarantee(ApproxDP, epsilon=epsilon).delta,
    "discrete_laplace_delta": lambda t, epsilon: (
        DiscreteLaplace(scale=1 / t).guarantee(ApproxDP, epsilon=epsilon).delta
    ),
    "discrete_gaussian_delta": lambda epsilon, sigma: (
        DiscreteGaussian(sigma).guarantee(ApproxDP, epsilon=epsilon).delta
    ),
    "gaussian_epsilon_k_fold": lambda sigma, k, delta: (
        GaussianDP(1 / sigma).self_compose(k).epsilon_at(delta)
    ),
    "gaussian_sigma": lambda epsilon, delta: calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma,
    "rdp_to_epsilon": lambda order, rdp, delta: conversions.renyi_to_epsilon_mironov(
        order, rdp, delta
    ),
    "rdp_to_epsilon_improved": lambda order, rdp, delta: conversions.renyi_to_epsilon(
        order, rdp, delta
    ),
    "alpha_to_epsilon": lambda order, alpha_dp, delta: conversions.alpha_to_epsilon(
        order, alpha_dp, delta
    ),
    "alpha_compose": lambda order, alpha_dp: (
        AlphaDP(order, alpha_dp).compose(AlphaDP(order, alpha_dp)).epsilon
    ),
    "alpha_from_renyi": lambda order, rdp: conversions.renyi_to_alpha(order, rdp),
    "alpha_gaussian_sigma": lambda order, alpha_dp, sensitivity: (
        calibrate(Gaussian, AlphaDP(order, alpha_dp), sensitivity=sensitivity).sigma
    ),
    "alpha_group": lambda order, k, alpha_dp: AlphaDP(order, alpha_dp).group(2**k).epsilon,
    "zcdp_to_epsilon": conversions.zcdp_to_epsilon_bun_steinke,
    "zcdp_to_epsilon_improved": lambda rho, delta: ZCDP(rho).epsilon_at(delta),
    "approx_to_approx": conversions.approx_to_approx_delta,
    "binary_entropy_inverse": lambda h: divergences.binary_entropy_inverse(h),
    "mi_to_tv": conversions.mutual_information_to_total_variation,
    "pinsker_tv": lambda epsilon: conversions.pinsker_total_variation(epsilon),
    "pure_to_kl": conversions.pure_to_kl,
    "bsc_capacity": divergences.binary_symmetric_capacity,
    "optimal_composition_delta": lambda epsilon0, k, epsilon: (
        composition.optimal_composition(ApproxDP(epsilon0, 0.0), k, epsilon=epsilon).delta
    ),
    "subsampled_gaussian_renyi_add": lambda rate, sigma, order: (
        amplification.subsampled_gaussian_renyi_add(rate, sigma, order)
    ),
    "subsampled_gaussian_renyi_remove": lambda rate, sigma, order: (
        amplification.subsampled_gaussian_renyi_remove(rate, sigma, order)
    ),
    "tv_to_mi": conversions.total_variation_to_mutual_information,
}


def argument(name: str, value: Any, quantity: str) -> Any:
    if isinstance(value, list):
        return [float(x) for x in value]
    if quantity.endswith("randomized_response") and name == "p":
        return value
    return value if isinstance(value, int) else float(value)


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["quantity"] not in LATER], ids=lambda r: r["id"]
)
def test_value(row: dict[str, Any]) -> None:
    quantity = row["quantity"]
    arguments = {n: argument(n, v, quantity) for n, v in row["params"].items()}
    value, truth = QUANTITIES[quantity](**arguments), float(row["value"])
    if quantity.endswith("_improved"):
        # the listed value is from a formula that may be negative; the library then returns 0
        truth = max(truth, 0.0)
    if math.isinf(truth):
        assert value == truth
    else:
        assert value == pytest.approx(truth, rel=RELATIVE, abs=0)


def test_every_quantity_is_known() -> None:
    assert {row["quantity"] for row in ROWS} <= QUANTITIES.keys() | LATER
