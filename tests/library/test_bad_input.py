"""Bad input to every public callable: the error must name parameter, value and permitted range.

The public callables are found by walking the package, and the values that a parameter accepts
follow from its name, so a new function whose parameters have known names needs no line here. Every
hostile value is tried on every parameter. A value that the parameter does not accept must raise a
ValueError or TypeError whose message begins with the parameter's name, and says what the value
must be and what it was. A value that the parameter accepts must give an answer without NaN. No
call may take longer than two seconds.

To extend: add a parameter with a new name to `KINDS`. If it accepts other values than parameters
of the same name, add it to `DIFFERENT`. If the examples in `KINDS` are not valid arguments of a
function or class, for example because it takes exactly one of two arguments, add valid ones to
`GOOD`. If the methods of a class need a special instance, add it to `INSTANCES`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from numbers import Real
from types import FrameType
from typing import Any

import numpy as np
import pytest
from claims import EXAMPLES, TOLD, picked

import dpteach
from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Accountant,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DensityLoss,
    DiscreteLoss,
    Explanation,
    Gaussian,
    GaussianDP,
    Guarantee,
    Laplace,
    Mechanism,
    MutualInformationDP,
    PoissonSubsampled,
    PostProcessed,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    Snapping,
    divergences,
    filters,
    hospital,
)
from dpteach.conversions import EDGES
from dpteach.mechanisms import THEOREMS
from dpteach.mechanisms._integers import IntegerNoise

NAN, INF = math.nan, math.inf
SECONDS = 2.0


class Liar:
    """An object whose `repr` raises an error, which a message about the object must handle."""

    def __repr__(self) -> str:
        raise RuntimeError


HOSTILE: list[Any] = [
    *[NAN, np.float64("nan"), np.float32("nan"), INF, -INF, -1, -1.0, -1e-300, 0, 0.0, 0.5, 1, 1.0],
    *[1.0000001, 2, 2.5, 3, 701, 10**400, -(10**400), Fraction(1, 3), 5e-324, 1e308],
    *["1", "", b"1", None, 1j, True, False, np.True_, Liar(), object(), {}, {"a": 1}, set(), ()],
    *[[], [1.0], [NAN], [INF], [NAN, 1.0], [INF, 0.0], [-1.0], [0.5, 0.6], [1.5, -0.5], [[]]],
    *[[0.5, None], [0.5, 0.5j], ["0.5", "0.5"], [[0.5, 0.5]], [[0.5], [0.5, 0.1]], [Liar()]],
    *[np.array([1.0, 2.0]), np.array(NAN), np.array([[0.5], [0.5]]), np.zeros((0, 2))],
    *[np.array(["a"]), np.datetime64("NaT"), np.random, int, float, Liar, NotImplemented, ...],
    *[np.ma.masked, np.ma.array([0.5, 0.5], mask=[True, False]), np.ma.array(0.5, mask=True)],
    *[PureDP(1), RenyiDP, Laplace, Laplace(1), Adjacency.ADD_REMOVE, lambda: 0],
]


@dataclass(frozen=True)
class Kind:
    """The values that a parameter accepts: a valid example, and a function that recognizes them."""

    good: Any
    takes: Callable[[Any], bool]


def number(good: Any, contains: Callable[[Any], bool]) -> Kind:
    def takes(value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.floating)):
            return False
        return value == value and contains(value)

    return Kind(good, takes)


def integer(good: int, minimum: int) -> Kind:
    return number(good, lambda x: isinstance(x, (int, np.integer)) and x >= minimum)


def several(one: Kind, good: Any) -> Kind:
    """Return the kind of a parameter that accepts one number, or a non-empty sequence of numbers.

    `one` is the kind of each number, and `good` is a valid value of the parameter.
    """

    def takes(value: Any) -> bool:
        if one.takes(value):
            return True
        if isinstance(value, (str, bytes, dict)):
            return False
        try:
            return len(value) > 0 and all(one.takes(x) for x in value)
        except TypeError:
            return False

    return Kind(good, takes)


def among(good: Any, *values: Any) -> Kind:
    return Kind(good, lambda v: isinstance(v, type(good)) and v in (good, *values))


def array(good: Any, contains: Callable[[Any], bool] = np.isfinite, bits: bool = False) -> Kind:
    def takes(value: Any) -> bool:
        if np.ma.is_masked(value):
            return False
        try:
            raw = np.asarray(value)
        except (ValueError, TypeError):
            return False
        if (
            raw.dtype == object
            and raw.size
            and all(isinstance(x, (int, Fraction)) for x in raw.flat)
        ):
            try:
                raw = raw.astype(float)
            except OverflowError:
                return False
        if raw.dtype.kind not in ("biuf" if bits else "iuf"):
            return False
        return bool(np.all(np.isfinite(raw)) and np.all([contains(x) for x in raw.flat]))

    return Kind(good, takes)


def instance(good: Any, kind: type | tuple[type, ...]) -> Kind:
    return Kind(good, lambda v: isinstance(v, kind))


def subclass(good: type, kind: type) -> Kind:
    return Kind(good, lambda v: isinstance(v, type) and issubclass(v, kind))


def sequence(good: Any, least: int = 1) -> Kind:
    """Return the kind of sequences with at least `least` entries of any type."""

    def takes(value: Any) -> bool:
        try:
            return len(value) >= least
        except TypeError:
            return False

    return Kind(good, takes)


def rows_of_probabilities(value: Any) -> bool:
    """Return whether a value is a nonnegative float matrix that is a channel or a joint
    distribution.

    The entries of each row of a channel sum to 1; all entries of a joint distribution sum to 1.
    """
    try:
        raw = np.asarray(value)
    except ValueError:  # numpy raises this error if the rows have different lengths
        return False
    if raw.ndim != 2 or raw.dtype.kind != "f" or not raw.size:
        return False
    return bool(np.all(raw >= 0) and (np.allclose(raw.sum(axis=1), 1) or np.isclose(raw.sum(), 1)))


NUMBER = number(0.5, lambda x: True)
FINITE = number(0.5, lambda x: abs(x) < 1.8e308)
NON_NEGATIVE = number(1.0, lambda x: 0 <= x < 1.8e308)
EXTENDED = number(1.0, lambda x: x >= 0)
POSITIVE = number(1.0, lambda x: 0 < x < 1.8e308)
PROBABILITY = number(0.1, lambda x: 0 <= x <= 1)
POSITIVE_PROBABILITY = number(1e-5, lambda x: 0 < x <= 1)
OPEN_PROBABILITY = number(0.05, lambda x: 0 < x < 1)
ORDER = number(2.0, lambda x: 1 < x < 1.8e308)
EXTENDED_ORDER = number(2.0, lambda x: x >= 1)
DISTRIBUTION = Kind([0.75, 0.25], lambda v: False)
ODDS = number(1.0, lambda x: 0 <= x <= 700)
COUNT = integer(2, 1)
TEXT = Kind("text", lambda v: isinstance(v, str))
BOOL = Kind(True, lambda v: isinstance(v, bool))
FUNCTION = Kind(lambda x: x, callable)
VALUES = array([0.25, 1.0])
GENERATOR = Kind(np.random.default_rng(0), lambda v: False)

KINDS: dict[str, Kind] = {
    "adjacency": instance(Adjacency.REPLACE_ONE, Adjacency),
    "alpha": EXTENDED,
    "answers": VALUES,
    "at_zero": NUMBER,
    "binding": BOOL,
    "bins": COUNT,
    "bound": POSITIVE,
    "budget": instance(PureDP(1e6), Guarantee),
    "by": TEXT,
    "categories": integer(3, 2),
    "channel": Kind([[0.75, 0.25], [0.25, 0.75]], rows_of_probabilities),
    "claim": instance(PureDP(1.0), Guarantee),
    "concentration": POSITIVE,
    "confidence": OPEN_PROBABILITY,
    "correction": among("holdout", "bonferroni"),
    "count": integer(1, 0),
    "delta": PROBABILITY,
    "deltas": several(PROBABILITY, 0.1),
    "divergence": Kind(divergences.kl_divergence, callable),
    "entropy": number(0.5, lambda x: 0 <= x <= math.log(2)),
    "entry": integer(0, 0),
    "epsilon": EXTENDED,
    "epsilon_prime": EXTENDED,
    "epsilons": several(NON_NEGATIVE, 1.0),
    "event": instance(Laplace(1.0), (Mechanism, Guarantee)),
    "events": among("auto", "thresholds", "outcomes"),
    "f": Kind(lambda u: (u - 1) ** 2, callable),
    "first": Kind([[0.75, 0.25], [0.25, 0.75]], rows_of_probabilities),
    "flip": PROBABILITY,
    "function": FUNCTION,
    "input_size": number(3, lambda n: n >= 1),
    "inputs": integer(3, 1),
    "joint": Kind([[0.5, 0.0], [0.25, 0.25]], rows_of_probabilities),
    "k": COUNT,
    "kind": among("exact", "upper bound"),
    "kl": EXTENDED,
    "ks": array([1, 10], lambda k: k >= 1 and k == int(k)),
    "log_p": FUNCTION,
    "log_q": FUNCTION,
    "loss": instance(DiscreteLoss([0.75, 0.25], [0.25, 0.75]), dpteach.PrivacyLoss),
    "losses": several(NUMBER, [0.0, 1.0]),
    "lower": FINITE,
    "marked": integer(1, 1),
    "masses": several(PROBABILITY, [0.5, 0.5]),
    "matrix": array([[1.0, 2.0], [0.5, 0.0]]),
    "mechanism": instance(Laplace(1.0), Mechanism),
    "monotonic": BOOL,
    "mu": NON_NEGATIVE,
    "n": integer(3, 0),
    "neighbour": VALUES,
    "neighbour_outputs": sequence([3.0, 4.0, 5.0, 6.0] * 10, least=2),
    "noise": among("gumbel", "laplace"),
    "norm": number(2, lambda v: v in (1, 2, INF)),
    "note": TEXT,
    "notion": subclass(PureDP, Guarantee),
    "one_coordinate": BOOL,
    "within_tolerance": BOOL,
    "order": ORDER,
    "orders": several(EXTENDED_ORDER, 2.0),
    "other": instance(DiscreteLoss([0.75, 0.25], [0.25, 0.75]), DiscreteLoss),
    "output_size": number(3, lambda n: n >= 1),
    "outputs": sequence([1.0, 2.0, 3.0, 4.0] * 10, least=2),
    "p": DISTRIBUTION,
    "points": several(FINITE, [0.0]),
    "prior": Kind([0.5, 0.5], lambda v: v == [1.0] if isinstance(v, list) else False),
    "pseudo_count": NON_NEGATIVE,
    "q": DISTRIBUTION,
    "quantity": TEXT,
    "queries": sequence([0.0, 1.0], least=0),
    "query": Kind(len, callable),
    "rate": PROBABILITY,
    "renyi": EXTENDED,
    "rho": NON_NEGATIVE,
    "rng": GENERATOR,
    "route": Kind("PLD", lambda v: v is None),
    "scale": POSITIVE,
    "score": FUNCTION,
    "scores": VALUES,
    "second": Kind([[0.75, 0.25], [0.25, 0.75]], rows_of_probabilities),
    "sensitivity": POSITIVE,
    "sigma": POSITIVE,
    "sigmas": several(POSITIVE, [1.0, 20.0]),
    "size": COUNT,
    "slack": POSITIVE_PROBABILITY,
    "slope_at_infinity": NUMBER,
    "smallest": integer(1, 0),
    "step": instance(ApproxDP(0.01, 1e-8), ApproxDP),
    "steps": Kind([ApproxDP(0.1, 1e-6), ApproxDP(0.2, 0.0)], lambda v: False),
    "target": instance(ApproxDP(1.0, 1e-5), Guarantee),
    "theorem": TEXT,
    "threshold": FINITE,
    "threshold_share": OPEN_PROBABILITY,
    "thresholds": several(NUMBER, [1.0, 2.0]),
    "to": subclass(ZCDP, Guarantee),
    "tolerance": number(1e-6, lambda x: 0 <= x < 1.8e308),
    "trials": integer(20, 1),
    "type_one": array([0.1, 0.5], lambda x: 0 <= x <= 1),
    "universe": sequence([0, 1]),
    "upper": number(2.0, lambda x: abs(x) < 1.8e308),
    "value": VALUES,
    "via": subclass(ZCDP, Guarantee),
    "x": PROBABILITY,
}

ANY_ORDER = number(2.0, lambda a: abs(a) < 1.8e308)
RENYI_ORDER = number(2.0, lambda a: a >= 0)
SCORES = array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
LOSSES = several(number(0.0, lambda x: x > -INF), [0.0, 1.0])
INTEGERS = array([1, 3], lambda x: x == int(x))
BITS = array([0, 1], lambda x: x in (0, 1), bits=True)
CATEGORIES = array([0, 1], lambda x: x in (0, 1, 2))

#: exceptions to `KINDS`, where the name of a parameter determines which values it accepts; a key is
#: "callable.parameter"
DIFFERENT: dict[str, Kind] = {
    "Accountant.compose.count": COUNT,
    "Accountant.epsilon_curve.delta": OPEN_PROBABILITY,
    "Accountant.remaining.budget": instance(ApproxDP(3.0, 1e-6), ApproxDP),
    "Accountant.tolerance": number(1e-4, lambda x: 1e-9 <= x <= 0.1),
    "accountants.Bracket.lower": number(0.5, lambda x: x >= 0),
    "accountants.Bracket.route": TEXT,
    "accountants.Bracket.upper": EXTENDED,
    "accountants.enclosing_plds.step": number(0.1, lambda x: 0 < x <= 1),
    "accountants.rounded_plds.step": number(0.1, lambda x: 0 < x <= 1),
    "AlphaDP.group.size": among(2, 1, 4),
    "ApproxDP.epsilon": NON_NEGATIVE,
    "ApproxDP.tightest.epsilon": NON_NEGATIVE,
    "DensityLoss.loss_range": several(NUMBER, [0.0, 1.0]),
    "Explanation.order": NUMBER,
    "Explanation.value": NUMBER,
    "KaryRandomizedResponse.epsilon": ODDS,
    "KaryRandomizedResponse.frequencies.answers": CATEGORIES,
    "KaryRandomizedResponse.privacy_loss_between.neighbour": among(1, 0, 2),
    "KaryRandomizedResponse.privacy_loss_between.value": among(1, 0, 2),
    "KaryRandomizedResponse.release.value": CATEGORIES,
    "MutualInformationDP.epsilon": NON_NEGATIVE,
    "PLD.losses": LOSSES,
    "PLD.reversed_losses": LOSSES,
    "PLD.reversed_masses": several(PROBABILITY, [0.5, 0.5]),
    "ProbabilisticDP.epsilon": NON_NEGATIVE,
    "ProbabilisticDP.tightest.epsilon": NON_NEGATIVE,
    "PureDP.epsilon": NON_NEGATIVE,
    "RandomizedResponse.epsilon": ODDS,
    "RandomizedResponse.privacy_loss_between.neighbour": BITS,
    "RandomizedResponse.privacy_loss_between.value": BITS,
    "RandomizedResponse.release.value": BITS,
    "SparseVector.count": COUNT,
    "SparseVector.epsilon": number(1.0, lambda x: 0 < x <= 700),
    "DiscreteLaplace.sensitivity": number(2, lambda x: 1 <= x < INF and x == int(x)),
    "attacks.floating_point_attack.value": FINITE,
    "attacks.floating_point_attack.neighbour": number(0.75, lambda x: abs(x) < 1.8e308),
    "attacks.is_possible_laplace.value": FINITE,
    "attacks.rounded_laplace_counts.value": number(0.25, lambda x: abs(x) <= 2**40),
    "attacks.rounded_laplace_counts.scale": number(1.0, lambda x: 0.01 <= x <= 1e4),
    "audit.audit.mechanism": instance(Laplace(1.0), (Mechanism, Callable)),  # type: ignore[arg-type]
    "audit.audit.trials": integer(20, 2),
    "audit.delta_lower_bound.epsilon": NON_NEGATIVE,
    "calibrate.mechanism": Kind(Gaussian, callable),
    "composition.heterogeneous_composition.tolerance": number(1e-4, lambda x: 1e-9 <= x <= 0.1),
    "conversions.alpha_to_epsilon.alpha": NON_NEGATIVE,
    "conversions.alpha_to_epsilon.delta": POSITIVE_PROBABILITY,
    "conversions.approx_to_approx_delta.epsilon": NON_NEGATIVE,
    "conversions.approx_to_probabilistic_delta.epsilon": NON_NEGATIVE,
    "conversions.pure_to_gaussian.epsilon": NON_NEGATIVE,
    "conversions.renyi_to_delta_optimal.renyi": NON_NEGATIVE,
    "conversions.renyi_to_epsilon_optimal.delta": POSITIVE_PROBABILITY,
    "conversions.renyi_to_epsilon_optimal.renyi": NON_NEGATIVE,
    "conversions.zcdp_to_epsilon_optimal.delta": POSITIVE_PROBABILITY,
    "conversions.pure_to_kl.epsilon": NON_NEGATIVE,
    "conversions.renyi_to_epsilon.delta": POSITIVE_PROBABILITY,
    "conversions.renyi_to_epsilon.renyi": NON_NEGATIVE,
    "conversions.renyi_to_epsilon_mironov.delta": POSITIVE_PROBABILITY,
    "conversions.renyi_to_epsilon_mironov.renyi": NON_NEGATIVE,
    "conversions.zcdp_to_epsilon.delta": POSITIVE_PROBABILITY,
    "conversions.zcdp_to_epsilon_bun_steinke.delta": POSITIVE_PROBABILITY,
    "composition.advanced_composition_step.target": instance(ApproxDP(0.5, 1e-5), ApproxDP),
    "divergences.alpha_divergence.order": ANY_ORDER,
    "divergences.hockey_stick.epsilon": NUMBER,
    "divergences.renyi_divergence.order": RENYI_ORDER,
    "sensitivity.mean_sensitivity.size": COUNT,
}
MASK = Kind(hospital.patients()["smoker"], lambda v: False)
PEOPLE = instance(hospital.register()[:50], hospital.Table)
DIFFERENT |= {
    "attacks.answers_needed.noise": number(10.0, lambda x: 0 <= x < 1e8),
    "attacks.link.released": PEOPLE,
    "attacks.link.register": PEOPLE,
    "attacks.link.on": Kind(["born", "sex"], lambda v: False),
    "attacks.membership_scores.people": array([[1, 0], [0, 0]], bits=True),
    "attacks.membership_scores.published": array([0.5, 0.25]),
    "attacks.membership_scores.shares": array([0.5, 0.25]),
    "attacks.reconstruct.answers": array([1, 1, 2]),
    "attacks.reconstruct.noise": number(1.0, lambda x: 0 <= x <= 1e6),
    "attacks.reconstruct.questions": array(
        [[1, 0], [0, 1], [1, 1]], lambda x: x in (0, 1), bits=True
    ),
    "attacks.worst_agreeing.error": NON_NEGATIVE,
    "attacks.worst_agreeing.people": COUNT,
    "hospital.Desk.fewest": integer(10, 0),
    "hospital.Desk.noise": NON_NEGATIVE,
    "hospital.Desk.rng": instance(np.random.default_rng(0), np.random.Generator),
    "hospital.Desk.table": PEOPLE,
    "Desk.count.rows": MASK,
    "hospital.Table.columns": Kind({"age": [36, 40]}, lambda v: isinstance(v, dict) and len(v) > 0),
    "hospital.marker_shares.count": number(20, lambda x: isinstance(x, int) and 1 <= x <= 10_000),
    "hospital.markers.count": number(20, lambda x: isinstance(x, int) and 1 <= x <= 10_000),
    "DiscreteLoss.from_samples.neighbour_outputs": array([3.0, 4.0, 5.0]),
    "DiscreteLoss.from_samples.outputs": array([1.0, 2.0, 3.0]),
    "amplification.subsampled_renyi.claim": instance(RenyiDP([2, 4], [0.1, 0.2]), RenyiDP),
    "channels.conditional_mutual_information.joint": Kind([[[0.5], [0.5]]], lambda v: False),
    "channels.arc_channel.epsilon": NON_NEGATIVE,
    "channels.entry_information.mechanism": Kind(
        [[0.75, 0.25], [0.25, 0.75]], rows_of_probabilities
    ),
    "channels.mutual_information_level.mechanism": Kind(
        [[0.75, 0.25], [0.25, 0.75]], rows_of_probabilities
    ),
    "channels.random_channel.outputs": COUNT,
    "curves.gaussian_deltas.epsilon": array([0.5, 1.0], lambda x: x >= 0),
    "curves.gaussian_deltas.mu": array([1.0, 2.0], lambda x: x >= 0),
    "curves.gaussian_epsilons.delta": array([0.1, 0.2], lambda x: 0 <= x <= 1),
    "curves.gaussian_epsilons.mu": array([1.0, 2.0], lambda x: x >= 0),
    "curves.renyi_epsilons.claim": instance(RenyiDP([2, 4], [0.1, 0.2]), RenyiDP),
    "curves.zcdp_epsilons.delta": array([0.1, 0.2], lambda x: 0 <= x <= 1),
    "curves.zcdp_epsilons.rho": array([1.0, 2.0], lambda x: x >= 0),
}
ROWS = array([[1.0, 0.5], [1.0, -2.0]])
FEATURES = array([[1.0, 0.5], [1.0, -2.0]], bits=True)
LABELS = array([0, 1], lambda x: x in (0, 1), bits=True)
DIFFERENT |= {
    "training.Training.step": Kind(
        PoissonSubsampled(Gaussian(1.0), 0.1),
        lambda v: v is None or isinstance(v, PoissonSubsampled),
    ),
    "training.Training.steps": COUNT,
    "training.Training.weights": array([1.0, 0.5]),
    "training.clip_rows.clip": number(1.0, lambda x: x > 0),
    "training.clip_rows.rows": ROWS,
    "training.logistic_gradients.features": FEATURES,
    "training.logistic_gradients.labels": LABELS,
    "training.logistic_gradients.weights": array([1.0, 0.5]),
    "training.logistic_losses.features": FEATURES,
    "training.logistic_losses.labels": LABELS,
    "training.logistic_losses.weights": array([1.0, 0.5]),
    "training.train_logistic.batch": POSITIVE,
    "training.train_logistic.clip": number(1.0, lambda x: x > 0),
    "training.train_logistic.features": FEATURES,
    "training.train_logistic.labels": LABELS,
    "training.train_logistic.learning_rate": POSITIVE,
    "training.train_logistic.rate": POSITIVE_PROBABILITY,
    "training.train_logistic.sigma": NON_NEGATIVE,
    "training.train_logistic.steps": COUNT,
}
for _loss in ("DensityLoss", "DiscreteLoss"):
    DIFFERENT[f"{_loss}.tail.epsilon"] = NUMBER
    DIFFERENT[f"{_loss}.alpha.order"] = ANY_ORDER
    DIFFERENT[f"{_loss}.renyi.order"] = RENYI_ORDER
    DIFFERENT[f"{_loss}.hockey_stick.epsilon"] = NUMBER
for _selection in ("ExponentialMechanism", "PermuteAndFlip", "ReportNoisyMax"):
    DIFFERENT[f"{_selection}.epsilon"] = ODDS
for _search in ("at_best_order", "on_grid"):
    DIFFERENT[f"calibration.epsilon_{_search}.delta"] = OPEN_PROBABILITY
    DIFFERENT[f"calibration.sigma_{_search}.delta"] = OPEN_PROBABILITY
    DIFFERENT[f"calibration.sigma_{_search}.epsilon"] = POSITIVE
for _goal in ("epsilon", "sigma"):
    DIFFERENT[f"calibration.{_goal}_on_grid.orders"] = several(ORDER, [2.0, 30.0])
DIFFERENT["DiscreteGaussian.sensitivity"] = number(1.0, lambda x: 1 <= x < 1.8e308)
for _integers in (kind.__name__ for kind in IntegerNoise.__subclasses__()):
    DIFFERENT[f"{_integers}.release.value"] = INTEGERS
    DIFFERENT[f"{_integers}.privacy_loss_between.value"] = INTEGERS
    DIFFERENT[f"{_integers}.privacy_loss_between.neighbour"] = INTEGERS

#: example values of arguments that `convert`, `guarantee` and `explain` need for some notions of
#: privacy, such as the order of a Rényi divergence
ARGUMENTS: dict[str, Any] = {
    "delta": 0.9,
    "epsilon": 0.5,
    "epsilons": [0.0, 1.0],
    "input_size": 3,
    "order": 2.0,
    "orders": 2.0,
    "output_size": 3,
}


def arguments(names: Iterable[str]) -> dict[str, Any]:
    return picked(ARGUMENTS, names, "ARGUMENTS of test_bad_input.py")


#: for some classes, the instances whose methods the tests call; other classes are instantiated
#: with the examples in `KINDS`
INSTANCES: dict[type, list[Any]] = {
    Accountant: [Accountant().compose(Laplace(1), 10)],
    AlphaDP: [AlphaDP(8, 1), AlphaDP(8, INF)],
    DensityLoss: [Laplace(1).privacy_loss()],
    Explanation: [PureDP(1).explain(delta=0.1)],
    FDP: [FDP([0.5], [0.01])],
    GaussianDP: [GaussianDP(1), GaussianDP(0)],
    MutualInformationDP: [MutualInformationDP(0.01)],
    PLD: [PLD.tightest(RandomizedResponse(1).privacy_loss())],
    hospital.Desk: [hospital.Desk(hospital.patients())],
    hospital.Table: [hospital.Table({"age": [36, 40]})],
    filters.Odometer: [filters.Odometer(1e-6)],
    PostProcessed: [Laplace(1).post_process(np.round)],
    RenyiDP: [RenyiDP([2, 3, 32], [1, 2, 3])],
    Snapping: [Snapping(1, bound=100)],
}

#: for some callables, one or more sets of valid arguments; required arguments that a set lacks get
#: their examples from `KINDS`
GOOD: dict[str, list[dict[str, Any]]] = {
    "*.explain": [{"epsilon": 0.5}, {"delta": 0.1}],
    "Accountant.routes": [{"epsilon": 0.5}, {"delta": 0.1}],
    "Odometer.explain": [{}],
    "PrivacyFilter.explain": [{}],
    "composition.heterogeneous_composition": [{"epsilon": 0.2}, {"delta": 1e-5}],
    "composition.optimal_composition": [{"epsilon": 0.01}, {"delta": 1e-5}],
    "MutualInformationDP.group": [{"size": 1}],
    "PLD.group": [{"size": 1}],
    "AlphaDP.group": [{"size": 4}],
    "conversions.table": [{}],
    "audit.audit": [{"value": 0.0, "neighbour": 1.0}],
    "conversions.explain": [
        {"claim": PureDP(1.0), "to": ZCDP, "by": "Bun-Steinke"},
        {"claim": ZCDP(1.0), "to": ApproxDP, "by": "joint range", "delta": 1e-5},
        {"claim": RenyiDP(8, 1), "to": ApproxDP, "by": "joint range", "epsilon": 1.0},
    ],
    "convert": [
        {"claim": example, "to": e.target, "by": e.name, **arguments(told)}
        for e in EDGES
        # skip a notion of privacy without an example guarantee: `test_notions.py` reports it
        for example in EXAMPLES.get(e.source, [])[:1]
        for told in ([[x] for x in e.parameters] if "epsilon" in e.parameters else [e.parameters])
    ],
}

GOOD |= {
    "accountants.Bracket": [{"lower": 0.5, "upper": 1.0, "route": "PLD"}],
}

#: classes of results that the library returns; users have no reason to construct them
RECORDS = {
    "AtOrder",
    "BracketCurve",
    "Capacity",
    "CompositionBracket",
    "Edge",
    "Event",
    "FloatingPointAttack",
    "Links",
    "LowerBound",
    "ManyQueries",
    "Neighbours",
    "Theorem",
}

#: parameters that a function passes on to a mechanism under another name; the error message then
#: begins with the other name
RENAMED = {"audit.audit.neighbour": "value"}

#: methods that a class overrides only to raise an error, because the class has no such result
NOTHING = {"PostProcessed.privacy_loss", "PostProcessed.privacy_loss_between"}

#: modules of teaching tools, whose handling of bad input is tested elsewhere
APART = {"figures", "widgets", "grading", "demos", "cli", "serve"}


# --- public callables ----------------------------------------------------------------------


@dataclass(frozen=True)
class Try:
    """A public callable, valid arguments for it, and the parameter to which a test gives bad
    values.
    """

    name: str
    function: Callable[..., Any]
    good: dict[str, Any]
    parameter: str

    def __str__(self) -> str:
        return f"{self.name}-{self.parameter}"

    @property
    def kind(self) -> Kind | None:
        key = f"{self.name}.{self.parameter}"
        return DIFFERENT.get(key, KINDS.get(self.parameter))


def public() -> dict[str, Any]:
    """Return each public function and class, by its name in the first module that exports it."""
    found: dict[str, Any] = {}
    modules = [dpteach] + [
        importlib.import_module(f"dpteach.{module.name}")
        for module in pkgutil.iter_modules(dpteach.__path__)
        if not module.name.startswith("_") and module.name not in APART
    ]
    for module in modules:
        prefix = module.__name__.removeprefix("dpteach").lstrip(".")
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            known = any(value is other for other in found.values())
            error = isinstance(value, type) and issubclass(value, Exception)
            if callable(value) and not known and not error:
                found[f"{prefix}.{name}" if prefix else name] = value
    return found


def methods(kind: type) -> list[str]:
    return [
        name
        for name in dir(kind)
        # exclude the copies of a method that the mutation tester mutmut adds, whose names are not
        # ASCII
        if name.isascii()
        and not name.startswith("_")
        and not isinstance(inspect.getattr_static(kind, name), property)
        and callable(getattr(kind, name))
        and f"{kind.__name__}.{name}" not in NOTHING
        and name not in {f.name for f in (fields(kind) if is_dataclass(kind) else ())}
    ]


def callables() -> Iterator[tuple[str, Callable[..., Any], list[dict[str, Any]]]]:
    """Yield the name, the function and the sets of valid arguments of each public callable."""
    for name, value in public().items():
        if not isinstance(value, type):
            yield name, value, GOOD.get(name, [{}])
            continue
        short = name.split(".")[-1]
        if issubclass(value, Adjacency) or short in RECORDS:
            continue
        if not inspect.isabstract(value):
            yield name, value, GOOD.get(name, [{}])
        for method in methods(value):
            bound = f"{short}.{method}"
            examples = GOOD.get(bound, GOOD.get(f"*.{method}", [{}]))
            if isinstance(inspect.getattr_static(value, method), (classmethod, staticmethod)):
                if not inspect.isabstract(value):
                    yield bound, getattr(value, method), examples
                continue
            for example in instances(name, value):
                if method in ("guarantee", "explain") and isinstance(example, Mechanism):
                    examples = [
                        {"notion": t.notion, **arguments(TOLD.get(t.notion, ()))}
                        for t in THEOREMS
                        if t.mechanism is type(example)
                        and not (method == "explain" and t.notion in (FDP, PLD))
                    ]
                yield bound, getattr(example, method), examples


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def with_kinds(name: str, function: Callable[..., Any], example: dict[str, Any]) -> dict[str, Any]:
    """Return the given arguments, and examples for all other required parameters of a function."""
    good = dict(example)
    for parameter in parameters(function):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        kind = Try(name, function, {}, parameter.name).kind
        required = parameter.default is parameter.empty
        if parameter.name not in good and kind is not None and required:
            good[parameter.name] = kind.good
    return good


def instances(name: str, kind: type) -> list[Any]:
    """Return the instances of a class on which the tests call its methods."""
    if inspect.isabstract(kind):
        return []
    if kind in INSTANCES:
        return INSTANCES[kind]
    try:
        return [kind(**with_kinds(name, kind, GOOD.get(name, [{}])[0]))]
    except (TypeError, ValueError):
        return []  # `test_every_class_has_an_example` fails in this case


def tries() -> Iterator[Try]:
    for name, function, examples in callables():
        for example in examples:
            good = with_kinds(name, function, example)
            for parameter in {p.name: p for p in parameters(function)} | dict.fromkeys(good):
                one = inspect.signature(function).parameters.get(parameter)
                if one is None or one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                    yield Try(name, function, good, parameter)


TRIES = list(tries())


# --- how callables react to bad input -------------------------------------------------------


@contextmanager
def time_limit() -> Iterator[None]:
    """Fail if the block takes more than `SECONDS` of processor time.

    Elapsed time is not limited, because even a fast function may take long on a busy machine.
    """

    def late(signum: int, frame: FrameType | None) -> None:
        raise AssertionError(f"takes more than {SECONDS} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def shown(value: Any) -> str:
    try:
        return f"{value!r:.60}" if not isinstance(value, np.ndarray) else f"array {value.tolist()}"
    except RuntimeError:
        return "<Liar>"


def holds_nan(value: Any) -> bool:
    if isinstance(value, (bool, str, type)) or value is None:
        return False
    if isinstance(value, (Real, np.generic)):
        return bool(value != value)
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(np.isnan(value).any())
    if isinstance(value, (tuple, list)):
        return any(holds_nan(x) for x in value)
    if is_dataclass(value):
        return any(holds_nan(getattr(value, f.name)) for f in fields(value))
    return False


def called(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call a function with arguments given by name, also if it takes some by position only.

    Return its result, or all items in a list if the result is an iterator.
    """
    signature = inspect.signature(function)
    positional = [
        arguments[p.name]
        for p in signature.parameters.values()
        if p.kind is p.POSITIONAL_ONLY and p.name in arguments
    ]
    named = {
        n: v
        for n, v in arguments.items()
        if n not in signature.parameters
        or signature.parameters[n].kind is not inspect.Parameter.POSITIONAL_ONLY
    }
    answer = function(*positional, **named)
    return list(answer) if isinstance(answer, Iterator) else answer


def complaint(one: Try, value: Any) -> str | None:
    """Return what is wrong with a callable's reaction to a value, or None if the reaction is
    right.
    """
    default = inspect.Parameter.empty
    if one.parameter in inspect.signature(one.function).parameters:
        default = inspect.signature(one.function).parameters[one.parameter].default
    assert one.kind is not None
    welcome = (value is None and default is None) or one.kind.takes(value)
    try:
        with time_limit():
            answer = called(one.function, {**one.good, one.parameter: value})
    except (ValueError, TypeError) as error:
        message = str(error)
        if welcome and ("must" in message or callable(value)):
            # the callable may refuse a value of the right kind, because the permitted range can
            # depend on its other arguments
            return None
        name = RENAMED.get(f"{one.name}.{one.parameter}", one.parameter)
        if not re.match(rf"(\w+ and )?{name}\b", message):
            return f"the message does not begin with the name: {type(error).__name__}: {message}"
        if "must" not in message or "got" not in message:
            return f'the message lacks "must" or "got": {message}'
        return None
    except AssertionError as error:
        return str(error) or "assertion"
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    if not welcome:
        return f"is accepted: {shown(answer)}"
    # a universe may contain any records, even NaN, and the answer may then contain these records
    if holds_nan(answer) and one.parameter != "universe":
        return f"gives NaN: {shown(answer)}"
    return None


@pytest.mark.parametrize("one", TRIES, ids=str)
def test_bad_argument(one: Try) -> None:
    if one.kind is None:
        pytest.fail(
            f"{one.name} has a parameter {one.parameter!r} of an unknown kind: say what it takes "
            f'in KINDS, or in DIFFERENT["{one.name}.{one.parameter}"]'
        )
    try:
        answer = called(one.function, one.good)
    except (ValueError, TypeError) as error:
        pytest.fail(
            f"{one.name} refuses {one.good}, made from the examples of the kinds: {error}\n"
            f'GOOD["{one.name}"] = [{{...}}] says with which arguments to try it'
        )
    assert not holds_nan(answer)
    bad = [(v, c) for v in HOSTILE if (c := complaint(one, v)) is not None]
    lines = [f"{one.parameter}={shown(value)} {words}" for value, words in bad]
    assert not bad, f"{one.name}: {len(bad)} of {len(HOSTILE)}\n" + "\n".join(lines)


def test_every_class_has_an_example() -> None:
    missing = [
        name
        for name, value in public().items()
        if isinstance(value, type)
        and not inspect.isabstract(value)
        and not issubclass(value, Adjacency)
        and name.split(".")[-1] not in RECORDS
        and not instances(name, value)
    ]
    assert not missing, (
        f"the methods of {missing} are tried on an example: KINDS or DIFFERENT must say what each "
        "parameter takes, or INSTANCES hold one"
    )


def test_nothing_in_the_tables_is_out_of_date() -> None:
    names = {name for name, _, _ in callables()}
    names |= {f"*.{name.split('.')[-1]}" for name in names}
    assert set(GOOD) <= names
    assert set(DIFFERENT) <= {f"{one.name}.{one.parameter}" for one in TRIES}
    assert set(KINDS) <= {one.parameter for one in TRIES}
