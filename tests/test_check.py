"""Bad input: an error that names parameter, value and domain, from every public callable."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import dpteach
from dpteach import (
    FDP,
    PLD,
    ZCDP,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
    DensityLoss,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteLoss,
    Explanation,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
    KaryRandomizedResponse,
    Laplace,
    MutualInformationDP,
    PermuteAndFlip,
    PostProcessed,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
    Snapping,
    SparseVector,
    calibrate,
    conversions,
    convert,
    divergences,
    sensitivity,
)

NAN, INF = math.nan, math.inf
RNG = np.random.default_rng(0)


class Liar:
    """An object whose repr is broken."""

    def __repr__(self) -> str:
        raise RuntimeError


#: never a real number
NOT_NUMBERS: list[Any] = ["1", None, 1j, [1.0], np.array([1.0, 2.0]), True, Liar(), b"1", {}]
#: what lies outside each kind of parameter
OUTSIDE: dict[str, list[Any]] = {
    "positive": [NAN, INF, -INF, 0, 0.0, -1.0, np.float64("nan")],
    "non-negative": [NAN, INF, -INF, -1e-300, -1.0],
    "extended non-negative": [NAN, -INF, -1e-300, -1.0],
    "number": [NAN],
    "loss": [NAN, -INF],
    "probability": [NAN, INF, -INF, -1e-300, 1.0000001, 2],
    "positive probability": [NAN, INF, 0, -0.1, 1.0000001],
    "order > 1": [NAN, INF, -INF, 1, 1.0, 0.5, 0, -2],
    "order >= 1": [NAN, -INF, 0.999, 0, -2],
    "order >= 0": [NAN, -INF, -1e-9, -2],
    "finite": [NAN, INF, -INF],
    "bits of information": [NAN, INF, -0.1, 0.7],
    "mechanism": [NAN, 1, Laplace, PureDP(1)],
    "function": [NAN, 1],
    "whole": [NAN, INF, 0, -5, 0.5, 2.5],
    "count": [NAN, INF, 0, -5, 2.5, 2.0],
    "open probability": [NAN, INF, 0, 1, -0.1, 1.5],
    "bool": [NAN, 0, 1],
    "noise": [NAN, "gauss", 1],
    "norm": [NAN, 0, 3, -1],
    "universe": [NAN, 1, (), [1, 1]],
    "adjacency": [NAN, "add", 1],
    "matrix": [NAN, INF, 3.0, [NAN]],
    "numbers": [NAN, INF],
    "odds": [NAN, INF, -0.1, 701],
}
#: of the above, what is right after all where a parameter is no single real number
NOT_SCALARS: dict[str, Callable[[Any], bool]] = {
    "bool": lambda value: value is True,
    "universe": lambda value: (
        isinstance(value, (str, bytes, list, np.ndarray))
        and len(value) > 0
        and not (isinstance(value, list) and value == [1, 1])
    ),
    "numbers": lambda value: isinstance(value, (list, np.ndarray)),
}
DISTRIBUTIONS: list[Any] = [
    [],
    [[0.5, 0.5]],
    [0.5, 0.6],
    [0.5, 0.4],
    [1.5, -0.5],
    [NAN, 1.0],
    [INF, 0.0],
    0.5,
    "ab",
    ["0.5", "0.5"],
    None,
    [0.5, None],
    [0.5, 0.5j],
    [[0.5], [0.5, 0.1]],
    {},
    np.array([[0.5], [0.5]]),
]
P, Q = [0.75, 0.25], [0.25, 0.75]
#: parameters that take one number or several
SEQUENCES = {"orders", "epsilons", "points", "deltas"} | {
    f"{prefix}{name}" for prefix in ("", "reversed_") for name in ("losses", "masses")
}

#: callable, good arguments, and the kind of each parameter that is tried
CALLS: list[tuple[Callable[..., Any], dict[str, Any], dict[str, str]]] = [
    *[
        (function, {"p": P, "q": Q}, {"p": "distribution", "q": "distribution"})
        for function in (
            divergences.kl_divergence,
            divergences.max_divergence,
            divergences.total_variation,
            DiscreteLoss,
        )
    ],
    (divergences.renyi_divergence, {"p": P, "q": Q, "order": 2}, {"order": "order >= 0"}),
    (divergences.alpha_divergence, {"p": P, "q": Q, "order": 2}, {"order": "finite"}),
    (divergences.hockey_stick, {"p": P, "q": Q, "epsilon": 1}, {"epsilon": "number"}),
    (divergences.binary_entropy, {"x": 0.5}, {"x": "probability"}),
    (divergences.binary_entropy_inverse, {"entropy": 0.5}, {"entropy": "bits of information"}),
    (divergences.binary_symmetric_capacity, {"flip": 0.5}, {"flip": "probability"}),
    (PureDP, {"epsilon": 1}, {"epsilon": "non-negative"}),
    (
        ApproxDP,
        {"epsilon": 1, "delta": 0.1},
        {"epsilon": "non-negative", "delta": "probability"},
    ),
    (RenyiDP, {"orders": 2, "epsilons": 1}, {"orders": "order >= 1", "epsilons": "non-negative"}),
    (ZCDP, {"rho": 1}, {"rho": "non-negative"}),
    (
        AlphaDP,
        {"order": 2, "epsilon": 1},
        {"order": "order > 1", "epsilon": "extended non-negative"},
    ),
    (MutualInformationDP, {"epsilon": 1}, {"epsilon": "non-negative"}),
    (GaussianDP, {"mu": 1}, {"mu": "non-negative"}),
    (
        ProbabilisticDP,
        {"epsilon": 1, "delta": 0.1},
        {"epsilon": "non-negative", "delta": "probability"},
    ),
    (FDP, {"epsilons": 1, "deltas": 0.1}, {"epsilons": "non-negative", "deltas": "probability"}),
    (
        PLD,
        {"losses": 0, "masses": 1, "reversed_losses": 0, "reversed_masses": 1},
        {
            "losses": "loss",
            "masses": "probability",
            "reversed_losses": "loss",
            "reversed_masses": "probability",
        },
    ),
    (
        Explanation,
        {"value": 1.0, "quantity": "epsilon", "theorem": "a theorem", "kind": "exact"},
        {"value": "number"},
    ),
    (RandomizedResponse, {"epsilon": 1}, {"epsilon": "odds"}),
    (Laplace, {"scale": 1, "sensitivity": 1}, {"scale": "positive", "sensitivity": "positive"}),
    (DiscreteLaplace, {"scale": 1}, {"scale": "positive", "sensitivity": "whole"}),
    (DiscreteGaussian, {"sigma": 1}, {"sigma": "positive", "sensitivity": "positive"}),
    (
        Snapping,
        {"scale": 1, "bound": 8},
        {"scale": "positive", "sensitivity": "positive", "bound": "positive"},
    ),
    (Gaussian, {"sigma": 1, "sensitivity": 1}, {"sigma": "positive", "sensitivity": "positive"}),
    *[
        (
            mechanism,
            {"epsilon": 1, "sensitivity": 2.0, "monotonic": True},
            {"epsilon": "odds", "sensitivity": "positive", "monotonic": "bool"},
        )
        for mechanism in (ExponentialMechanism, PermuteAndFlip, SparseVector)
    ],
    (
        ReportNoisyMax,
        {"epsilon": 1, "noise": "gumbel"},
        {"epsilon": "odds", "noise": "noise"},
    ),
    (
        SparseVector,
        {"epsilon": 1, "threshold": 3, "count": 2, "threshold_share": 0.3},
        {"threshold": "finite", "count": "count", "threshold_share": "open probability"},
    ),
    (KaryRandomizedResponse, {"epsilon": 1, "categories": 3}, {"epsilon": "odds"}),
    (KaryRandomizedResponse, {"epsilon": 1, "categories": 3}, {"categories": "count"}),
    (DeltaCatastrophe, {"delta": 0.1}, {"delta": "probability"}),
    *[
        (
            function,
            {"query": len, "universe": "ab", "size": 2, "smallest": 0},
            {
                "query": "function",
                "universe": "universe",
                "size": "count",
                "adjacency": "adjacency",
            },
        )
        for function in (
            sensitivity.l1_sensitivity,
            sensitivity.l2_sensitivity,
            sensitivity.linf_sensitivity,
            sensitivity.farthest_neighbours,
        )
    ],
    (sensitivity.count_sensitivity, {}, {"adjacency": "adjacency"}),
    (
        sensitivity.sum_sensitivity,
        {"lower": 0, "upper": 1},
        {"lower": "finite", "upper": "finite", "adjacency": "adjacency"},
    ),
    (
        sensitivity.mean_sensitivity,
        {"lower": 0, "upper": 1, "size": 3},
        {"lower": "finite", "upper": "finite", "size": "count", "adjacency": "adjacency"},
    ),
    (sensitivity.histogram_sensitivity, {}, {"norm": "norm", "adjacency": "adjacency"}),
    (
        sensitivity.linear_sensitivity,
        {"matrix": [[1.0]]},
        {"matrix": "matrix", "norm": "norm", "adjacency": "adjacency"},
    ),
    (
        sensitivity.clip,
        {"value": 3, "lower": 0, "upper": 1},
        {"value": "numbers", "lower": "finite", "upper": "finite"},
    ),
    (
        sensitivity.clip_norm,
        {"value": [3.0], "bound": 1},
        {"value": "numbers", "bound": "positive", "norm": "norm"},
    ),
    (
        PostProcessed,
        {"mechanism": Laplace(1), "function": abs},
        {"mechanism": "mechanism", "function": "function"},
    ),
    (
        calibrate,
        {"mechanism": Gaussian, "target": ZCDP(1), "sensitivity": 1.0},
        {"sensitivity": "positive"},
    ),
    *[
        (
            function,
            {"order": 2, name: 0.1, "delta": 1e-5},
            {"order": "order > 1", name: "non-negative", "delta": "positive probability"},
        )
        for function, name in (
            (conversions.renyi_to_epsilon_mironov, "renyi"),
            (conversions.renyi_to_epsilon, "renyi"),
            (conversions.alpha_to_epsilon, "alpha"),
        )
    ],
    (
        conversions.alpha_to_renyi,
        {"order": 2, "alpha": 1},
        {"order": "order > 1", "alpha": "extended non-negative"},
    ),
    (
        conversions.renyi_to_alpha,
        {"order": 2, "renyi": 1},
        {"order": "order > 1", "renyi": "extended non-negative"},
    ),
    *[
        (
            function,
            {"rho": 1, "delta": 0.1},
            {"rho": "non-negative", "delta": "positive probability"},
        )
        for function in (conversions.zcdp_to_epsilon, conversions.zcdp_to_epsilon_bun_steinke)
    ],
    (
        conversions.approx_to_approx_delta,
        {"epsilon": 1, "delta": 0.1, "epsilon_prime": 0.5},
        {
            "epsilon": "non-negative",
            "delta": "probability",
            "epsilon_prime": "extended non-negative",
        },
    ),
    (conversions.pure_to_kl, {"epsilon": 1}, {"epsilon": "non-negative"}),
    (conversions.pinsker_total_variation, {"kl": 1}, {"kl": "extended non-negative"}),
    (
        conversions.mutual_information_to_total_variation,
        {"epsilon": 1},
        {"epsilon": "extended non-negative"},
    ),
    (
        conversions.total_variation_to_mutual_information,
        {"delta": 0.1, "output_size": 3, "input_size": 3},
        {"delta": "probability"},
    ),
    *[
        (guarantee.delta_at, {"epsilon": 1}, {"epsilon": "extended non-negative"})
        for guarantee in (
            PureDP(1),
            ApproxDP(1, 0.1),
            RenyiDP([2, INF], [1, 2]),
            ZCDP(1),
            AlphaDP(2, 1),
            AlphaDP(2, INF),
            MutualInformationDP(1),
            GaussianDP(1),
            GaussianDP(0),
            ProbabilisticDP(1, 0.1),
            FDP([0.5, 1], [0.1, 0.01]),
            PLD(0, 1, 0, 1),
        )
    ],
    *[
        (guarantee.epsilon_at, {"delta": 0.1}, {"delta": "probability"})
        for guarantee in (
            PureDP(1),
            ApproxDP(1, 0.1),
            RenyiDP([1, 2], [1, 2]),
            ZCDP(1),
            AlphaDP(2, 1),
            MutualInformationDP(1),
            GaussianDP(1),
            GaussianDP(0),
            ProbabilisticDP(1, 0.1),
            FDP([0.5, 1], [0.1, 0.01]),
            PLD(0, 1, 0, 1),
        )
    ],
    *[
        (loss.renyi, {"order": 2}, {"order": "order >= 0"})
        for loss in (DiscreteLoss(P, Q), Laplace(1).privacy_loss())
    ],
    *[
        (loss.hockey_stick, {"epsilon": 2}, {"epsilon": "number"})
        for loss in (DiscreteLoss(P, Q), Laplace(1).privacy_loss())
    ],
    (DiscreteLoss(P, Q).alpha, {"order": 2}, {"order": "finite"}),
    (
        DensityLoss,
        {"log_p": np.sin, "log_q": np.sin, "points": (0.0,), "scale": 1.0},
        {"scale": "positive", "points": "finite"},
    ),
]


def cases() -> Iterator[Any]:
    for function, good, kinds in CALLS:
        name = getattr(function, "__qualname__", str(function))
        for parameter, kind in kinds.items():
            bad = DISTRIBUTIONS if kind == "distribution" else OUTSIDE[kind] + NOT_NUMBERS
            if kind in NOT_SCALARS:
                bad = [v for v in bad if not NOT_SCALARS[kind](v)]
            for value in bad:
                if parameter in SEQUENCES and isinstance(value, (list, np.ndarray)):
                    continue  # a sequence is right there
                try:
                    shown = f"{value!r}"[:25]
                except RuntimeError:
                    shown = "liar"
                yield pytest.param(
                    function, good, parameter, value, id=f"{name}-{parameter}-{shown}"
                )


@pytest.mark.parametrize(("function", "good", "parameter", "value"), list(cases()))
def test_bad_argument(
    function: Callable[..., Any], good: dict[str, Any], parameter: str, value: Any
) -> None:
    function(**good)
    with pytest.raises((ValueError, TypeError)) as caught:
        function(**{**good, parameter: value})
    message = str(caught.value)
    assert re.match(rf"{parameter}\b", message), message
    assert "got" in message and "must" in message


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
@pytest.mark.parametrize(
    "guarantee",
    [
        PureDP(1),
        ApproxDP(1, 0.1),
        ProbabilisticDP(1, 0.1),
        RenyiDP(2, 1),
        ZCDP(1),
        AlphaDP(2, 1),
        MutualInformationDP(1),
        GaussianDP(1),
        FDP(1, 0.1),
        PLD(0, 1, 0, 1),
    ],
)
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
    with pytest.raises(ValueError, match="same neighbours"):
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
    with pytest.raises(TypeError, match="exactly one of epsilon and delta"):
        convert(ZCDP(1), to=ApproxDP)
    with pytest.raises(ValueError, match="implies no epsilon at delta=0"):
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


def test_every_public_callable_is_tried() -> None:
    tried = {function for function, _, _ in CALLS}
    public = {
        value
        for module in (dpteach, divergences, conversions, sensitivity)
        for name in module.__all__
        if callable(value := getattr(module, name)) and not inspect.isabstract(value)
    }
    # an enumeration, a record and a printer take nothing that could be wrong; convert is above
    assert public - tried == {
        dpteach.Adjacency,
        conversions.Edge,
        conversions.table,
        convert,
        sensitivity.Neighbours,
    }
