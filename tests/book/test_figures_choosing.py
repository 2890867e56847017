"""Tests of the figures on choosing a notion of privacy and its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, names_fit, says
from scipy.stats import norm

from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    Laplace,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    calibrate,
    conversions,
    figures,
)
from dpteach.figures import choosing
from dpteach.mechanisms import DeltaCatastrophe
from dpteach.notions import FDP, PLD, Guarantee

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "the two offices": (
        lambda: figures.noise_of_routes(delta=1e-9),
        "Laplace noise is better for up to 15 counts, and Gaussian noise for more. "
        "At 12 counts: Laplace 17, Gaussian 19. At 150 counts: Laplace with basic composition 212, "
        "Gaussian 67.3.",
    ),
    "a tiny delta": (
        lambda: figures.noise_of_routes(delta=1e-25),
        "Laplace noise is better for up to 50 counts",
    ),
    "a delta that is no power": (
        lambda: figures.noise_of_routes(delta=2e-5, epsilon=0.5),
        "for a total epsilon of 0.5 and a total delta of 2 · 10⁻⁵.",
    ),
    "a tenth": (
        lambda: figures.same_number(value=0.1),
        "Gaussian DP, μ 52.0%; pure DP, ε 52.5%;",
    ),
    "more than a bit": (
        lambda: figures.same_number(value=1),
        "mutual information 100.0%.",
    ),
    "from pure": (
        lambda: figures.follows_from(notion=1),
        "What does not: distribution of loss (no theorem).",
    ),
    "from approximate": (
        lambda: figures.follows_from(notion=9),
        "zCDP (barred: the lottery), Rényi, one order (barred: the lottery)",
    ),
    "room": (
        lambda: figures.room_for_epsilon(k=12),
        "A standard deviation from 6.84 to 10.2 meets both limits, with epsilon from 1.93 to 2.95",
    ),
    "no room": (
        lambda: figures.room_for_epsilon(k=27),
        "No standard deviation meets both limits: one limit requires at least 10.3, the other at "
        "most 10.2.",
    ),
    "one answer": (lambda: figures.room_for_epsilon(k=1), "each of 1 count exceeds"),
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize(("delta", "epsilon"), [(1e-9, 1.0), (1e-5, 0.5)])
def test_the_lines_are_the_noise_that_calibrate_finds(delta: float, epsilon: float) -> None:
    axes = figures.noise_of_routes(delta=delta, epsilon=epsilon)
    adding, law, normal = (np.asarray(line.get_data(), dtype=float) for line in axes.lines[:3])
    target = ApproxDP(epsilon, delta)
    for i in (0, 20, 40, 60):
        k = adding[0][i]
        if k != round(k):
            continue
        scale = calibrate(Laplace, PureDP(epsilon), k=round(k)).scale
        assert adding[1][i] == pytest.approx(math.sqrt(2) * scale)
        sigma = calibrate(Gaussian, target, k=round(k)).sigma
        assert normal[1][i] == pytest.approx(sigma, rel=1e-9)
    for k, deviation in law.T:
        assert deviation <= math.sqrt(2) * k / epsilon * (1 + 1e-9)
    # to the right of the drawn crossing, Gaussian noise has a smaller standard deviation than
    # Laplace noise with exact composition
    crossing = float(np.asarray(axes.lines[-1].get_xdata())[0])
    for k, deviation in law.T:
        if k > crossing + 1:
            assert calibrate(Gaussian, target, k=round(k)).sigma < deviation


@pytest.mark.parametrize("delta", [1e-9, 1e-5])
def test_the_first_count_at_which_normal_noise_is_less(delta: float) -> None:
    target = ApproxDP(1.0, delta)
    text = figures.alt_text(figures.noise_of_routes(delta=delta))
    last = int(text.split("up to ")[1].split()[0])
    for k, laplace_is_less in ((last, True), (last + 1, False)):
        laplace = math.sqrt(2) * calibrate(Laplace, target, k=k).scale
        assert (laplace < calibrate(Gaussian, target, k=k).sigma) == laplace_is_less


def test_each_noise_has_its_name() -> None:
    sigma = calibrate(Gaussian, ApproxDP(1.0, 1e-9)).sigma
    names_fit(
        figures.noise_of_routes(delta=1e-9, epsilon=1.0),
        {
            "Laplace, basic comp.\n(needs no δ)": math.sqrt(2) * 1000,
            "Gaussian noise": math.sqrt(1000) * sigma,
        },
    )


def test_every_arrow_of_the_registry_is_on_the_map() -> None:
    places = {notion: i + 1 for i, (notion, _, _) in enumerate(choosing._MAP)}
    for edge in conversions.EDGES:
        if edge.source is not edge.target and {edge.source, edge.target} <= set(places):
            assert edge.target in choosing._reached(edge.source)
    names = {notion: name for notion, name, _ in choosing._MAP}
    for notion, place in places.items():
        follows = figures.alt_text(figures.follows_from(notion=place)).split("What does not")[0]
        for target, name in names.items():
            if target is not notion:
                assert (f" {name} (" in follows) == (target in choosing._reached(notion))


@pytest.mark.parametrize("place", range(1, 11))
def test_arrows_leave_a_box_apart_and_on_its_edge(place: int) -> None:
    notion, _, (x, y) = choosing._MAP[place - 1]
    reached = choosing._reached(notion)
    targets = [i for i, (other, _, _) in enumerate(choosing._MAP) if other in reached]
    starts = choosing._starts(place - 1, targets)
    assert sorted(starts) == targets
    for a, b in starts.values():
        far = max(abs(a - x) / choosing._WIDTH, abs(b - y) / choosing._HEIGHT)
        assert far == pytest.approx(0.5)
    points = list(starts.values())
    for i, one in enumerate(points):
        assert all(math.dist(one, other) > 0.01 for other in points[:i])


def _keeps(claim: Guarantee, loss: object) -> bool:
    return claim.holds_for(loss)  # type: ignore[arg-type]


def test_who_bars_a_way_keeps_the_one_promise_and_not_the_other() -> None:
    normal, lottery = (
        Gaussian(sigma=1.0).privacy_loss(),
        DeltaCatastrophe(delta=1e-6).privacy_loss(),
    )
    small: dict[type[Guarantee], Guarantee] = {
        ApproxDP: ApproxDP(0.0, 1e-6),
        ProbabilisticDP: ProbabilisticDP(0.0, 1e-6),
        MutualInformationDP: MutualInformationDP(1e-6),
    }
    for claim in small.values():
        assert _keeps(claim, lottery)
    assert normal.max() == math.inf
    assert all(lottery.renyi(order) == math.inf for order in (1.01, 2, 50))
    barred = {
        (source, target): choosing._witness(source, target)
        for source, _, _ in choosing._MAP
        for target, _, _ in choosing._MAP
        if source is not target and choosing._witness(source, target)
    }
    for (source, target), who in barred.items():
        assert target not in choosing._reached(source)
        if who == "Gaussian noise":
            assert target is PureDP
        elif who == "the lottery":
            assert source in (*small, FDP) and target in (ZCDP, RenyiDP, AlphaDP, GaussianDP)
        else:
            assert who == "decoys" and source in (RenyiDP, AlphaDP)
    # for a pair of notions without a theorem or a counterexample, the figure must show nothing
    assert (ZCDP, GaussianDP) not in barred and not any(t is PLD for _, t in barred)


def test_decoys_are_harmless_at_order_two_and_need_any_rho_and_mu() -> None:
    rhos, mus = [], []
    for p in (1e-5, 1e-20, 1e-80):
        loss = DiscreteLoss([1 - p, p], [1 - p * p, p * p])
        assert _keeps(RenyiDP([2.0], [math.log(2)]), loss)
        assert _keeps(AlphaDP(2.0, 0.5), loss)
        rhos.append(ZCDP.tightest(loss).rho)
        # an event has the probability p under one distribution and p^2 under the other, so mu-GDP
        # holds only if mu is at least the following difference of normal quantiles
        mus.append(float(norm.isf(p * p) - norm.isf(p)))
        assert rhos[-1] >= (math.sqrt(2) - 1) ** 2 * math.log(1 / p)
    assert rhos[2] > 10 * rhos[0] and mus[2] > 3 * mus[0]


@pytest.mark.parametrize("k", [1, 12, 26])
def test_both_ends_of_the_room_are_where_the_limits_are(k: int) -> None:
    text = figures.alt_text(figures.room_for_epsilon(k=k))
    numbers = text.split("A standard deviation from ")[1]
    least, most = float(numbers.split()[0]), float(numbers.split()[2])
    assert norm.cdf(math.sqrt(k) / least / 2) == pytest.approx(0.6, abs=1e-3)
    assert 1.96 * most == pytest.approx(20, rel=5e-3)
    loosest = float(text.split(" to ")[-1].split()[0])
    assert GaussianDP(math.sqrt(k) / least).epsilon_at(1e-9) == pytest.approx(loosest, rel=1e-2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.noise_of_routes(delta=1e-25),
            lambda: figures.noise_of_routes(delta=1e-5),
        ),
        (lambda: figures.same_number(value=0.01), lambda: figures.same_number(value=1)),
        (lambda: figures.follows_from(notion=1), lambda: figures.follows_from(notion=10)),
        (lambda: figures.room_for_epsilon(k=1), lambda: figures.room_for_epsilon(k=100)),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.noise_of_routes(delta=0), r"delta must be in \[1e-30, 0.01\]"),
        (lambda: figures.noise_of_routes(delta=1e-9, epsilon=9), r"epsilon must be in \[0.1, 5\]"),
        (lambda: figures.same_number(value=math.nan), r"value must be"),
        (lambda: figures.same_number(value=6), r"value must be in \[0.001, 5\]"),
        (lambda: figures.follows_from(notion=0), "notion must be an integer"),
        (lambda: figures.follows_from(notion=11), "notion must be at most 10"),
        (lambda: figures.room_for_epsilon(k=0), "k must be an integer"),
        (lambda: figures.room_for_epsilon(k=1001), "k must be at most 1000"),
        (lambda: figures.room_for_epsilon(k=1, error=100), r"error must be in \[2, 60\]"),
        (lambda: figures.room_for_epsilon(k=1, hit=0.5), r"hit must be in \[0.52, 0.9\]"),
        (lambda: figures.room_for_epsilon(k=1, delta=1), "delta must be in"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
