"""Each library call of the page "Look it up" returns what the formula of its row gives."""

from __future__ import annotations

import re
from math import comb, exp, log, sqrt, tanh
from pathlib import Path

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


#: the formula of each row at the numbers of its call; None where the row has no closed formula
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
    "Sampling: Rényi DP of the subsampled Gaussian, when a person is removed": subsampled_gaussian(
        0.01, 1.0, 8
    ),
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


#: the links at the top of the page, and the beginning of the row or heading that each leads to
SOUGHT = {
    "Laplace mechanism": "Laplace mechanism",
    "Gaussian mechanism: calibration": "Gaussian mechanism, calibration to (ε, δ)",
    "Exponential mechanism": "Exponential mechanism",
    "Sparse vector: scales of the noise": "Sparse vector, noise of the threshold",
    "Local DP: randomized response": "Randomized response (local DP)",
    "Parallel composition": "Parallel composition",
    "Advanced composition": "Advanced composition",
    "Group privacy": "Group privacy: groups of $k$ people",
    "Rényi DP of the subsampled Gaussian": "Rényi DP of the subsampled Gaussian, when a person",
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
