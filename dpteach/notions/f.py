"""f-differential privacy: a lower bound on the errors of every test, as a trade-off curve."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.notions import _loss_atoms
from dpteach.notions._base import Adjacency, Guarantee, Reason, at_most, beyond, worst_direction
from dpteach.notions._point import profile_of_approx, profile_of_approx_inverse
from dpteach.notions._trade_off import Curve, trade_off_of_approx
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")

Points = list[tuple[float, float]]
Vector = NDArray[np.float64]

#: the largest number of linear pieces of the curve that one step of `FDP.group` may create
MOST_LINES = 1_000_000


@dataclass(frozen=True, repr=False)
class FDP(Guarantee):
    """f-differential privacy: every test of two neighbors has errors on or above the curve f.

    Consider a test of whether a person is in the data. If it says yes with probability x when the
    person is absent (type I error), it says no with probability at least f(x) when the person is
    present (type II error). The curve f is convex, continuous, non-increasing and at most 1 - x.
    The curve bounds both directions of every pair of neighbors and is therefore symmetric: f(f(x))
    = x where f(x) > 0.

    Here f has finitely many corners: it is the maximum of the trade-off curves of finitely many
    (epsilon, delta)-DP guarantees, one for each straight piece. Pairs of discrete distributions,
    randomized response and approximate DP have exactly such curves. Tangents approximate a smooth
    curve from below.

    Parameters
    ----------
    epsilons : float or sequence of float
        Distinct numbers in [0, inf), in nats; kept in increasing order.
    deltas : float or sequence of float
        One delta in [0, 1] for each epsilon. A pair (epsilon, delta) that the other pairs imply is
        dropped.

    Raises
    ------
    ValueError
        If an epsilon occurs twice, or the lengths differ.

    Notes
    -----
    The privacy profile and the curve determine each other: delta(epsilon) = 1 + f*(-e^epsilon),
    where f* is the convex conjugate. As a function of e^epsilon the profile is convex, and linear
    between adjacent epsilons, so that interpolation is exact.

    Post-processing preserves the claim: a test of the processed output is a test of the output.

    References
    ----------
    Dong, Roth and Su (2022), definition 3; in arXiv 1905.02383, definition 2.3 and
    propositions 2.4, 2.11 and 2.12.

    Examples
    --------
    >>> claim = FDP([0.5, 1.0], [0.1, 0.01])
    >>> round(claim.trade_off(0.1), 12), round(claim.delta_at(0.75), 12)
    (0.73512787293, 0.06059588508)
    >>> round(FDP(1.0, 0.0).self_compose(2).delta_at(0.0), 12)
    0.46211715726
    """

    epsilons: tuple[float, ...]
    deltas: tuple[float, ...]

    _is_curve: ClassVar[bool] = True

    # tell type checkers that the constructor accepts numbers and sequences, although it stores
    # tuples
    if TYPE_CHECKING:

        def __init__(
            self,
            epsilons: float | Sequence[float],
            deltas: float | Sequence[float],
            *,
            adjacency: Adjacency = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        epsilons = _check.reals("epsilons", self.epsilons, _check.NON_NEGATIVE)
        deltas = _check.reals("deltas", self.deltas, _check.PROBABILITY)
        if len(epsilons) != len(deltas):
            raise ValueError(
                f"deltas must hold one number for each epsilon, got {len(epsilons)} epsilons "
                f"and {len(deltas)} deltas"
            )
        if len(set(epsilons)) != len(epsilons):
            raise ValueError(f"epsilons must be distinct, got epsilons={_check.shown(epsilons)}")
        hull = _hull(sorted(zip(epsilons, deltas, strict=True)))
        self._set("epsilons", tuple(epsilon for epsilon, _ in hull))
        self._set("deltas", tuple(delta for _, delta in hull))

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        return self.delta_at(0.0), _("the total variation"), None

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return the guarantee with the largest curve that holds for two discrete distributions.

        Raises
        ------
        TypeError
            If the loss is not that of two discrete distributions.

        References
        ----------
        Neyman and Pearson (1933); Dong, Roth and Su (2022), on symmetrization.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> claim = FDP.tightest(DiscreteLoss([0.5, 0.5], [0.25, 0.75]))
        >>> claim.epsilons == (0.0, math.log(2)), [round(delta, 12) for delta in claim.deltas]
        (True, [0.25, 0.0])
        """
        return cls(*_loss_atoms.profile_nodes(*_loss_atoms.distributions_of(loss)))

    @classmethod
    def from_profile(cls, claim: Guarantee, *, epsilons: float | Sequence[float]) -> Self:
        """Return the trade-off curve that the deltas of a guarantee at some epsilons imply.

        The curve is a lower bound on the guarantee's trade-off curve, by one tangent for each
        epsilon; more epsilons bring it closer.

        Parameters
        ----------
        claim : Guarantee
            The guarantee to approximate.
        epsilons : float or sequence of float
            Distinct numbers in [0, inf).

        Examples
        --------
        >>> from dpteach import GaussianDP
        >>> claim = FDP.from_profile(GaussianDP(1.0), epsilons=[0.0, 0.5, 1.0, 1.5, 2.0])
        >>> round(claim.delta_at(1.2), 6), round(GaussianDP(1.0).delta_at(1.2), 6)
        (0.102964, 0.094001)
        """
        _check.instance("claim", claim, Guarantee)
        checked = _check.reals("epsilons", epsilons, _check.NON_NEGATIVE)
        return cls(checked, [claim.delta_at(e) for e in checked], adjacency=claim.adjacency)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        def worst(epsilon: float) -> float:
            return worst_direction(loss, lambda one: one.hockey_stick(beyond(epsilon)))

        pairs = zip(self.epsilons, self.deltas, strict=True)
        return all(at_most(worst(epsilon), delta) for epsilon, delta in pairs)

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        i = bisect_left(self.epsilons, epsilon)
        if i == len(self.epsilons):
            return self.deltas[-1]
        if self.epsilons[i] == epsilon:
            return self.deltas[i]
        # below the first epsilon, the profile is the one that the first pair (epsilon, delta)
        # implies
        if i == 0:
            return profile_of_approx(self.epsilons[0], self.deltas[0], epsilon)
        return min(self.deltas[i - 1], _numerics.up(_loss_atoms.chord(*self._piece(i), epsilon)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta < self.deltas[-1]:
            return math.inf
        if delta >= self.deltas[0]:
            return profile_of_approx_inverse(self.epsilons[0], self.deltas[0], delta)
        i = next(i for i, d in enumerate(self.deltas) if d <= delta)
        if self.deltas[i] == delta:
            return self.epsilons[i]
        return _loss_atoms.chord_inverse(*self._piece(i), delta)

    def _piece(self, i: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the points (epsilon, delta) at the ends of the profile's i-th piece.

        On each piece, delta is linear in e^epsilon.
        """
        e, d = self.epsilons, self.deltas
        return (e[i - 1], d[i - 1]), (e[i], d[i])

    def trade_off(self, type_one: ArrayLike) -> Curve:
        """Return f, the least type II error of a test, at each type I error.

        Parameters
        ----------
        type_one : array_like
            Probabilities of rejecting a true null hypothesis, of any shape.

        Returns
        -------
        float or ndarray
            In [0, 1], of the same shape; rounded down.

        Examples
        --------
        >>> FDP([0.5, 1.0], [0.1, 0.01]).trade_off([0.0, 0.25, 0.5, 0.99]).round(4)
        array([0.99  , 0.4878, 0.2426, 0.    ])
        """
        return trade_off_of_approx(self.epsilons, self.deltas, type_one)

    def curve(self) -> tuple[Vector, Vector]:
        """Return the corners of the trade-off curve f, from (0, f(0)) to (1, 0).

        The first array has the type I errors of the corners, the second the type II errors, both
        exact up to rounding. For a single pair (epsilon, delta), both errors at the middle corner
        are (1 - delta)/(1 + e^epsilon).

        Examples
        --------
        >>> type_one, type_two = FDP(1.0, 0.1).curve()
        >>> type_one.round(4), type_two.round(4)
        (array([0.   , 0.242, 0.9  , 1.   ]), array([0.9  , 0.242, 0.   , 0.   ]))
        """
        *half, (middle, _) = ((alarm, 1 - detected) for alarm, detected in self._corners())
        # only with a positive smallest epsilon does the curve have a corner where both errors are
        # equal
        if self.epsilons[0] > 0:
            half.append((middle, middle))
        whole = [*half, *((y, x) for x, y in reversed(half)), (1.0, 0.0)]
        corners = np.array(list(dict.fromkeys(whole)))
        return corners[:, 0], corners[:, 1]

    def roc(self) -> tuple[Vector, Vector]:
        """Return the corners of the ROC curve, as false-alarm and detection probabilities.

        No test lies above the ROC curve: a test with false alarm probability x detects a person
        who is in the data with probability at most 1 - f(x).

        Examples
        --------
        >>> false_alarms, detections = FDP(1.0, 0.1).roc()
        >>> detections.round(4)
        array([0.1  , 0.758, 1.   , 1.   ])
        """
        type_one, type_two = self.curve()
        return type_one, 1 - type_two

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        if epsilon >= self.epsilons[-1] or epsilon in self.epsilons:
            note = _("It is one of the (epsilon, delta) pairs of the claim.")
            return Reason("the definition", "exact", note=note)
        return _DUALITY

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if delta < self.deltas[-1]:
            note = _("No finite epsilon follows at a delta below 1 - f(0).")
            return Reason("the definition", "exact", note=note)
        return _DUALITY

    def _compose(self, others: Sequence[Self]) -> Self:
        return reduce(type(self)._compose_with, others, self)

    def _compose_with(self, other: Self) -> Self:
        one, two = self._atoms(), other._atoms()
        return self._of_atoms(
            _loss_atoms.checked(one, two, "compose takes curves with fewer corners, got two")
        )

    def self_compose(self, k: int) -> Self:
        """Return the curve of k releases, the tensor product of k copies of f; it is tight.

        References
        ----------
        Dong, Roth and Su (2022), theorem on composition (3.2 of arXiv 1905.02383).

        Examples
        --------
        >>> round(FDP(0.1, 0.0).self_compose(64).epsilon_at(1e-6), 6)
        3.679635
        """
        k = _check.count("k", k)
        if k == 1:
            return self
        return self._of_atoms(_loss_atoms.power(self._atoms(), k))

    def group(self, size: int) -> Self:
        """Return the curve for groups of up to `size` people.

        At x it is 1 - g(x), where g applies the function 1 - f `size` times in a row.

        Raises
        ------
        ValueError, TypeError
            If size is not an integer >= 1, or the resulting curve has too many corners.

        References
        ----------
        Dong, Roth and Su (2022), theorem on group privacy (2.14 of arXiv 1905.02383).

        Examples
        --------
        >>> claim = FDP(1.0, 0.0).group(2)
        >>> claim.epsilon_at(0.0), round(claim.delta_at(0.0), 12)
        (2.0, 0.632120558829)
        """
        size = _check.count("size", size)
        whole = self
        for bit in bin(size)[3:]:
            whole = whole._followed_by(whole, size)
            if bit == "1":
                whole = whole._followed_by(self, size)
        return whole

    def _followed_by(self, other: Self, size: int) -> Self:
        """Return the curve for a change of the data in two steps, from a curve for each step.

        The curve `self` bounds the first step, and `other` the second. If P <= e^a Q + delta and
        Q <= e^b R + delta' on every event, then P <= e^(a+b) R + delta + e^a delta'.
        """
        a, d = self._detection_lines()
        b, e = other._detection_lines()
        if a.size * b.size > MOST_LINES:
            raise ValueError(
                f"size must be smaller: a curve with {len(self.epsilons)} straight pieces gets "
                f"too many, got size={size}"
            )
        sums = _loss_atoms.sums_up(a[:, None], b[None, :]).ravel()
        with np.errstate(over="ignore", invalid="ignore"):
            seen = np.where(e[None, :] > 0, np.exp(a)[:, None] * e[None, :], 0.0)
        deltas = np.minimum(1.0, (d[:, None] + seen).ravel() * (1 + _numerics.MARGIN))
        kept = sums >= 0
        return self._of_points(sums[kept], deltas[kept])

    def _detection_lines(self) -> tuple[Vector, Vector]:
        """Return epsilon and delta of the lines delta + e^epsilon x whose minimum is the ROC curve.

        Here x is the false-alarm probability. The curve is symmetric, so each (epsilon, delta) has
        a mirror image (-epsilon, 1 - e^-epsilon (1 - delta)).
        """
        e, d = np.array(self.epsilons), np.array(self.deltas)
        mirrored = np.minimum(1.0, (-np.expm1(-e) + np.exp(-e) * d) * (1 + _numerics.MARGIN))
        mirrored = np.where(e == 0, d, mirrored)
        return np.concatenate((-e, e)), np.concatenate((mirrored, d))

    def _of_points(self, epsilons: Vector, deltas: Vector) -> Self:
        """Return the guarantee of all given pairs (epsilon, delta); their order does not matter."""
        order = np.lexsort((deltas, epsilons))
        epsilons, deltas = epsilons[order], deltas[order]
        lower = np.concatenate(([True], deltas[1:] < np.minimum.accumulate(deltas)[:-1]))
        lower &= np.concatenate(([True], np.diff(epsilons) > 0))
        return type(self)(
            epsilons[lower].tolist(), deltas[lower].tolist(), adjacency=self.adjacency
        )

    def _corners(self) -> Points:
        """Return the corners (false alarm, detection) of the first half of the ROC curve.

        The first corner has the false alarm probability 0. At the last corner, the probabilities of
        a false alarm and of a missed detection are equal. Symmetry gives the second half.
        Corners are rounded up, so that no corner lies below the two lines that meet in it.
        """
        corners = [(0.0, self.deltas[-1])]
        lines = list(zip(self.epsilons, self.deltas, strict=True))
        for (e1, d1), (e2, d2) in reversed(list(pairwise(lines))):
            fall = (d1 - d2) / -math.expm1(e1 - e2)
            detected = max(d2 + fall, d1 + math.exp(e1 - e2) * fall)
            corners.append((math.exp(-e2) * fall, min(1.0, detected)))
        e1, d1 = lines[0]
        flat = _numerics.logistic(-e1)
        corners.append(((1 - d1) * flat, _numerics.logistic(e1) + d1 * flat))
        return corners

    def _atoms(self) -> _loss_atoms.LossAtoms:
        """Return a privacy loss distribution with the curve f: one atom for each straight piece."""
        detections = np.array([d for _, d in self._corners()])
        masses = np.diff(detections)[::-1] * (1 + _numerics.MARGIN)
        losses, masses = np.array(self.epsilons)[masses > 0], masses[masses > 0]
        return _loss_atoms.merged(
            np.concatenate((-losses, losses)),
            np.concatenate((masses * np.exp(-losses), masses)),
            self.deltas[-1],
        )

    def _of_atoms(self, atoms: _loss_atoms.LossAtoms) -> Self:
        points = np.unique(np.concatenate((atoms.losses[atoms.losses > 0], [0.0])))
        return self._of_points(points, _loss_atoms.deltas_of(atoms, points))


_DUALITY = Reason("Dong, Roth and Su (2022), duality of the curve and the profile", "exact")


def _hull(points: Points) -> Points:
    """Return the (epsilon, delta) pairs that no other pair implies, from pairs sorted by epsilon.

    If a pair is dropped because of a rounding error, the guarantee is weaker but still valid.
    """
    hull: Points = []
    for epsilon, delta in points:
        if hull and delta >= hull[-1][1]:
            continue
        while len(hull) > 1 and _implied(
            hull[-1], _loss_atoms.chord(hull[-2], (epsilon, delta), hull[-1][0])
        ):
            hull.pop()
        hull.append((epsilon, delta))
    # because the curve is symmetric, the mirror image of the second pair may imply the first pair
    while len(hull) > 1 and _implied(hull[0], profile_of_approx(*hull[1], hull[0][0])):
        hull.pop(0)
    return hull


def _implied(point: tuple[float, float], delta: float) -> bool:
    return point[1] >= delta * (1 - 2 * _numerics.MARGIN)
