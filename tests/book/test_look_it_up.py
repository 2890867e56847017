"""Tests that each library call of the page "Look it up" agrees with the formula of its row."""

from __future__ import annotations

import re
from math import comb, exp, log, sqrt, tanh
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

import dpteach

PAGE = (Path(__file__).parents[2] / "book" / "look_it_up.md").read_text("utf-8")
NAMES = {name: getattr(dpteach, name) for name in dpteach.__all__}
ROW = re.compile(
    r"^\* - \[?(.+?)(?:\]\{#[a-z-]+\})?\n\n.+\n  - .+\n\n    \{py:obj\}`(.+) <[\w.]+>`",
    re.MULTILINE,
)
ROWS = {
    f"{section.partition(chr(10))[0]}: {row[1]}": row[2]
    for section in PAGE.split("\n## ")[1:]
    for row in ROW.finditer(section)
}


def exact_gaussian(mu: float, epsilon: float) -> float:
    return float(norm.cdf(mu / 2 - epsilon / mu) - exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))


def optimal_delta(epsilon: float, step: float, k: int) -> float:
    truths = binom(k, exp(step) / (1 + exp(step)))
    return sum(
        truths.pmf(n) * max(0.0, 1 - exp(epsilon - (2 * n - k) * step)) for n in range(k + 1)
    )


def subsampled_gaussian(rate: float, sigma: float, order: int) -> float:
    moment = sum(
        comb(order, j) * (1 - rate) ** (order - j) * rate**j * exp(j * (j - 1) / (2 * sigma**2))
        for j in range(order + 1)
    )
    return log(moment) / (order - 1)


def entropy(p: float) -> float:
    return -p * log(p) - (1 - p) * log(1 - p)


#: for each row of the tables on the page "Look it up", the value that the row's library call must
#: return, computed here by the row's formula; None if the row has no closed formula
EXPECTED: dict[str, float | None] = {
    "Mechanisms: Randomized response (local DP)": exp(1) / (1 + exp(1)),
    "Mechanisms: k-ary randomized response (local DP)": exp(1) / (exp(1) + 39),
    "Mechanisms: Laplace mechanism": 1 / 0.5,
    'Mechanisms: Gaussian mechanism, exact ("analytic")': exact_gaussian(1 / 4, 1.0),
    "Mechanisms: Gaussian mechanism, calibration to (ε, δ)": 1
    / brentq(lambda mu: exact_gaussian(mu, 1.0) - 1e-6, 0.1, 1, xtol=1e-14),
    "Mechanisms: Gaussian mechanism, textbook bound": sqrt(2 * log(1.25e6)) / 0.5,
    "Mechanisms: Gaussian mechanism, zCDP": 1 / (2 * 4**2),
    "Mechanisms: Gaussian mechanism, Gaussian DP": 1 / 4,
    "Mechanisms: Gaussian mechanism, Rényi DP": 8 / (2 * 4**2),
    "Mechanisms: Laplace mechanism, Rényi DP": log(8 / 15 * exp(7 / 2) + 7 / 15 * exp(-8 / 2)) / 7,
    "Mechanisms: Discrete Laplace mechanism": 1 / 2,
    "Mechanisms: Discrete Gaussian mechanism": 1 / (2 * 4**2),
    "Mechanisms: Exponential mechanism": 1.0,
    "Mechanisms: Exponential mechanism, accuracy (utility)": 1 / (1 + 39 * exp(-13.37 / 2)),
    "Mechanisms: Report noisy max": 1.0,
    "Mechanisms: Sparse vector, noise of the threshold": 1 / 0.5,
    "Mechanisms: Sparse vector, noise of each query": 2 / 0.5,
    "Mechanisms: Sensitivity of a clipped sum": 30.0,
    "Composition: Sequential composition": 0.75,
    "Composition: Parallel composition": 1.0,
    "Composition: Advanced composition": 10 * tanh(0.05) + 0.1 * sqrt(200 * log(1e6)),
    "Composition: Optimal composition": optimal_delta(5.0, 0.1, 100),
    "Composition: Composition of Rényi DP": 0.75,
    "Composition: Composition of zCDP": 1.0,
    "Composition: Composition of Gaussian DP": sqrt(4 * 0.5**2),
    "Composition: Composition of alpha-DP": ((1 + 56 * 0.5) ** 2 - 1) / 56,
    "Composition: Composition of mutual-information DP": 0.3,
    "Composition: Privacy filter for zCDP": True,
    "Group privacy: groups of $k$ people: Pure DP": 1.5,
    "Group privacy: groups of $k$ people: Approximate DP": 1e-6 * (1 + exp(0.5) + exp(1.0)),
    "Group privacy: groups of $k$ people: zCDP": 9 * 0.02,
    "Group privacy: groups of $k$ people: Gaussian DP": 1.5,
    "Group privacy: groups of $k$ people: Rényi DP, $k = 2$": 15 / 7 * 0.1,
    "Group privacy: groups of $k$ people: Alpha-DP, $k = 2$": 8 * 7 * 0.5 / (4 * 3),
    "Sampling: Amplification by Poisson sampling at rate $r$": log(1 + 0.01 * (exp(1) - 1)),
    "Sampling: Rényi DP of the subsampled Gaussian": subsampled_gaussian(0.01, 1.0, 8),
    "Sampling: DP-SGD": None,
    "Sampling: zCDP of the subsampled Gaussian": 1 / 2,
    "Conversions: Pure DP to zCDP, simple": 0.5**2 / 2,
    "Conversions: Pure DP to zCDP, tight": 0.5 * tanh(0.25),
    "Conversions: Pure DP to Rényi DP": log((exp(4) + exp(-3.5)) / (1 + exp(0.5))) / 7,
    "Conversions: Pure DP to Gaussian DP": 2 * float(norm.ppf(exp(0.5) / (1 + exp(0.5)))),
    "Conversions: Pure DP to the KL divergence": tanh(0.5),
    "Conversions: (ε, δ)-DP to a smaller ε": 1 - (1 - 1e-6) * (1 + exp(0.5)) / (1 + exp(1)),
    "Conversions: (ε, δ)-DP to the tail of the loss": 1e-6 / (1 - exp(-0.5)),
    "Conversions: (ε, δ)-DP to f-DP": max(1 - 1e-6 - exp(1) * 0.1, exp(-1) * (1 - 1e-6 - 0.1)),
    "Conversions: Rényi DP to (ε, δ), simple": 0.5 + log(1e6) / 7,
    "Conversions: Rényi DP to (ε, δ), better": 0.5 + (log(1e6) - log(8)) / 7 + log(1 - 1 / 8),
    "Conversions: Rényi DP to (ε, δ), tight": None,
    "Conversions: zCDP to (ε, δ), simple": 0.1 + 2 * sqrt(0.1 * log(1e6)),
    "Conversions: zCDP to (ε, δ), best order": None,
    "Conversions: zCDP to Rényi DP": 0.8,
    "Conversions: Gaussian DP to (ε, δ)": exact_gaussian(0.5, 1.0),
    "Conversions: Gaussian DP to zCDP": 0.5**2 / 2,
    "Conversions: Alpha-DP to Rényi DP": log(1 + 56 * 0.5) / 7,
    "Conversions: Rényi DP to alpha-DP": (exp(7 * 0.5) - 1) / 56,
    "Conversions: Alpha-DP to (ε, δ)": (log(1 + 56 * 0.5) + log(1e6)) / 7,
    "Conversions: Pure DP to mutual-information DP, for entries with two values": log(2)
    - entropy(1 / 4),
    "Conversions: Mutual-information DP to (0, δ)": 1
    - 2 * brentq(lambda p: entropy(p) - (log(2) - 0.1), 1e-9, 0.5, xtol=1e-14),
    "Conversions: KL divergence to total variation": sqrt(0.02 / 2),
}


#: the text of each link at the top of the page, and the first words of the row or heading to which
#: the link leads
SOUGHT = {
    "Laplace mechanism": "Laplace mechanism",
    "Gaussian mechanism: calibration": "Gaussian mechanism, calibration to (ε, δ)",
    "Exponential mechanism": "Exponential mechanism",
    "Exponential mechanism: accuracy": "Exponential mechanism, accuracy (utility)",
    "Sparse vector: scales of the noise": "Sparse vector, noise of the threshold",
    "Local DP: randomized response": "Randomized response (local DP)",
    "Parallel composition": "Parallel composition",
    "Advanced composition": "Advanced composition",
    "Group privacy": "Group privacy: groups of $k$ people",
    "Amplification by subsampling": "Amplification by Poisson sampling at rate $r$",
    "Rényi DP of the subsampled Gaussian": "Rényi DP of the subsampled Gaussian",
    "zCDP to (ε, δ)": "zCDP to (ε, δ), simple",
}


def test_two_clicks_from_the_front_page_lead_to_the_formula() -> None:
    front = (Path(__file__).parents[2] / "book" / "intro.md").read_text("utf-8")
    assert "[Look something up](look_it_up.md)" in front
    links = dict(re.findall(r"^- \[(.+)\]\(#(.+)\)$", PAGE, re.MULTILINE))
    assert [*links] == [*SOUGHT]
    for name, row in SOUGHT.items():
        at, begins = links[name], re.escape(row)
        there = rf"^(\* - \[{begins}.*\]\{{#{at}\}}|\({at}\)=\n## {begins})$"
        assert re.search(there, PAGE, re.MULTILINE), name


def test_every_row_has_a_lasting_address() -> None:
    rows = re.findall(r"^\* - (?!Result and its place)(.+)$", PAGE, re.MULTILINE)
    addresses = [re.fullmatch(r"\[.+\]\{#(look-[a-z-]+)\}", row) for row in rows]
    assert len(rows) == len(ROWS) and all(addresses)
    names = [address[1] for address in addresses if address]
    assert len({*names, "look-groups"}) == len(names) + 1


def test_every_row_is_tried() -> None:
    assert list(ROWS) == list(EXPECTED)
    assert PAGE.count("{py:obj}`") == len(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_the_call_returns_what_the_formula_gives(row: str) -> None:
    found = eval(ROWS[row], dict(NAMES))
    expected = EXPECTED[row]
    if expected is not None:
        assert found == pytest.approx(expected, rel=1e-9)


def test_the_tight_conversions_are_below_the_formulas() -> None:
    def value(row: str) -> float:
        return float(eval(ROWS[f"Conversions: {row}"], dict(NAMES)))

    renyi = [value(f"Rényi DP to (ε, δ), {kind}") for kind in ("tight", "better", "simple")]
    assert renyi == sorted(renyi) and renyi[0] < renyi[1] < renyi[2]
    assert value("zCDP to (ε, δ), best order") < value("zCDP to (ε, δ), simple")
    assert 2.12 < eval(ROWS["Sampling: DP-SGD"], dict(NAMES)) < 2.13


def test_randomized_response_gives_epsilon_of_its_probability_and_back() -> None:
    for p in (0.5, 0.75, 0.999):
        epsilon = log(p / (1 - p))
        assert dpteach.RandomizedResponse(epsilon).truth_probability == pytest.approx(p, rel=1e-12)


def test_the_accuracy_of_the_exponential_mechanism_holds_for_every_score() -> None:
    n, beta = 40, 0.05
    assert round(2 * log(n / beta), 2) == 13.37
    rng = np.random.default_rng(1)
    rivals = [rng.uniform(-20, 0, n - 1) for _ in range(20)]
    for scores in [np.append(0.0, others) for others in rivals] + [np.append(13.37, np.zeros(39))]:
        for monotonic, bound in ((False, 2 * log(n / beta)), (True, log(n / beta))):
            law = dpteach.ExponentialMechanism(1.0, monotonic=monotonic).law(scores)
            assert law[scores < scores.max() - bound].sum() <= beta


def test_a_gaussian_on_a_sample_costs_most_when_a_person_is_removed() -> None:
    sampled = dpteach.amplification
    for rate, sigma, order in ((0.01, 1.0, 8), (0.1, 2.25, 2), (0.5, 0.7, 5), (0.9, 3.0, 32)):
        removed = sampled.subsampled_gaussian_renyi_remove(rate, sigma, float(order))
        assert removed == pytest.approx(subsampled_gaussian(rate, sigma, order), rel=1e-9)
        assert sampled.subsampled_gaussian_renyi_add(rate, sigma, float(order)) <= removed


def test_advanced_composition_of_mechanisms_that_have_a_delta() -> None:
    step = dpteach.ApproxDP(0.1, 1e-8)
    total = dpteach.composition.advanced_composition_tight(step, 100, slack=1e-6)
    assert total.epsilon == pytest.approx(EXPECTED["Composition: Advanced composition"], rel=1e-9)
    assert total.delta <= (100 * 1e-8 + 1e-6) * (1 + 1e-12)


def test_parallel_composition_is_about_groups_for_add_remove_neighbors() -> None:
    replaced = dpteach.sensitivity.histogram_sensitivity(adjacency=dpteach.Adjacency.REPLACE_ONE)
    assert replaced == 2 * EXPECTED["Composition: Parallel composition"]
