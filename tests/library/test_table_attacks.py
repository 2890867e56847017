"""Tests that compare attacks on tables and counts with definitions, theorems and simulations."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from dpteach.attacks import (
    answers_needed,
    link,
    membership_scores,
    reconstruct,
    worst_agreeing,
)
from dpteach.hospital import Table


@pytest.mark.parametrize("seed", range(20))
def test_links_are_those_of_a_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def made(size: int) -> Table:
        return Table({"a": rng.integers(0, 4, size), "b": rng.choice(["x", "y", "z"], size)})

    released, register = made(30), made(int(rng.integers(1, 25)))
    for on in (["a"], ["b"], ["a", "b"]):
        links = link(released, register, on)
        for i in range(len(released)):
            agree = [
                j
                for j in range(len(register))
                if all(released[name][i] == register[name][j] for name in on)
            ]
            assert links.candidates[i] == len(agree)
            assert links.rows[i] == (agree[0] if len(agree) == 1 else -1)
        assert links.share == np.mean(links.candidates == 1)


def test_a_register_of_nobody_names_nobody() -> None:
    people = Table({"born": [1, 2]})
    assert link(people, people[:0], ["born"]).share == 0
    assert link(people[:0], people, ["born"]).rows.shape == (0,)


@pytest.mark.parametrize("noise", [0.1, 1.0, 3.3, 10.0, 1e6])
@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.95, 1 - 1e-12])
def test_answers_needed_suffice_and_one_less_does_not(noise: float, confidence: float) -> None:
    def right(k: int) -> float:
        return 1 - 2 * norm.sf(0.5 * math.sqrt(k) / noise)

    k = answers_needed(noise, confidence)
    assert right(k) >= confidence * (1 - 1e-9)
    assert k == 1 or right(k - 1) < confidence * (1 + 1e-9)


def test_no_more_answers_are_counted_than_an_array_can_have() -> None:
    assert answers_needed(0.0) == 1
    assert 2**62 < answers_needed(7e8) < 2**63
    with pytest.raises(ValueError, match="noise must be so small"):
        answers_needed(8e8)


def test_averaging_is_right_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    k, trials = answers_needed(3.0, 0.9), 4000
    means = rng.normal(138, 3.0, (trials, k)).mean(axis=1)
    right = np.mean(np.round(means) == 138)
    assert abs(right - 0.9) < 5 * math.sqrt(0.09 / trials)


def test_exact_counts_of_independent_groups_give_everything_away() -> None:
    rng = np.random.default_rng(1)
    for people in (1, 5, 40):
        secret = rng.random(people) < 0.4
        groups = rng.random((3 * people, people)) < 0.5
        groups[:people] |= np.eye(people, dtype=bool)
        assert np.array_equal(reconstruct(groups, groups @ secret.astype(int)), secret)


def test_the_estimate_is_the_best_linear_one() -> None:
    # the best linear estimate of the secret bits from the answers depends only on their means and
    # covariances, so compute it as the conditional mean of normal variables that have the same ones
    rng = np.random.default_rng(2)
    others = 0  # the number of cases in which half the noise gives another result
    for noise in (0.1, 0.3, 0.7, 2.0) * 10:
        groups = rng.random((12, 6)) < 0.5
        answers = rng.normal(size=12)
        cov = 0.25 * groups @ groups.T.astype(float) + noise**2 * np.eye(12)
        gain = 0.25 * groups.T @ np.linalg.inv(cov)
        best = 0.5 + gain @ (answers - groups.sum(axis=1) / 2)
        found = reconstruct(groups, answers, noise=noise)
        assert np.array_equal(found, best > 0.5)
        assert np.abs(best - 0.5).min() > 1e-9
        others += not np.array_equal(reconstruct(groups, answers, noise=noise / 2), found)
    assert others >= 3, "else a wrong noise would not be seen"


@pytest.mark.parametrize("error", [0, 0.4, 0.5, 1, 1.2, 1.5, 2, 10])
def test_no_list_that_agrees_differs_in_more_places(error: float) -> None:
    people = 4
    lists = np.array(list(itertools.product((0, 1), repeat=people)))
    counts = lists @ lists.T  # counts[x, z]: the number of ones that list x has in group z
    worst = 0
    for x, z in itertools.product(range(len(lists)), repeat=2):
        # there are answers within `error` of the counts of both lists if and only if, for each
        # group, the two counts differ by at most twice the error
        if np.all(np.abs(counts[x] - counts[z]) <= 2 * error):
            worst = max(worst, int(np.sum(lists[x] != lists[z])))
    assert worst <= worst_agreeing(people, error)
    if error in (0, 0.4, 0.5, 1, 10):
        assert worst == worst_agreeing(people, error), "and some list does"


def test_scores_are_the_sum_that_they_are_said_to_be() -> None:
    rng = np.random.default_rng(3)
    x, published, shares = rng.random((5, 7)) < 0.5, rng.random(7), rng.random(7)
    scores = membership_scores(x, published, shares)
    for i in range(5):
        total = sum((x[i, j] - shares[j]) * (published[j] - shares[j]) for j in range(7))
        assert scores[i] == pytest.approx(total, abs=1e-12)
        assert membership_scores(x[i], published, shares) == pytest.approx(total, abs=1e-12)


def test_members_stand_apart_by_the_root_of_columns_over_people() -> None:
    rng = np.random.default_rng(4)
    columns, members = 800, 50
    inside, outside = rng.random((members, columns)) < 0.3, rng.random((4000, columns)) < 0.3
    shares = np.full(columns, 0.3)
    published = inside.mean(axis=0)
    scores = [membership_scores(x, published, shares) for x in (inside, outside)]
    apart = (scores[0].mean() - scores[1].mean()) / scores[1].std()
    assert apart == pytest.approx(math.sqrt(columns / members), rel=0.08)


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="equally many columns"):
        membership_scores([1, 0], [0.5], [0.5])
    with pytest.raises(ValueError, match="one row or several"):
        membership_scores(np.zeros((2, 2, 2)), [0.5, 0.5], [0.5, 0.5])
    with pytest.raises(ValueError, match="with an entry for each row"):
        reconstruct([[1, 0]], [1, 2])
    with pytest.raises(ValueError, match="bools"):
        reconstruct([[2, 0]], [1])
