"""Privacy loss distributions with finitely many atoms, and their profiles, all rounded up.

Moving mass to larger losses, or adding mass, can only increase hockey-stick divergences, before and
after composition. Therefore this module rounds losses and masses up.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

Vector = NDArray[np.float64]

#: two losses that differ by less than this fraction of the largest loss are merged into one
SAME_LOSS = 1e-13
#: the largest number of atoms (distinct losses) that one convolution may create
MOST_ATOMS = 2_000_000
_TINY = float(np.nextafter(0, 1))
_UNIT = float(np.finfo(np.float64).eps)


class LossAtoms(NamedTuple):
    """A privacy loss distribution: increasing finite losses, their masses, and the mass at inf."""

    losses: Vector
    masses: Vector
    infinity: float


def distributions_of(loss: PrivacyLoss) -> tuple[LossAtoms, LossAtoms]:
    """Return the distributions of log p/q under P and of log q/p under Q for a discrete loss."""
    _check.instance("loss", loss, DiscreteLoss)
    assert isinstance(loss, DiscreteLoss)
    return _distribution_of(loss), _distribution_of(loss.reversed())


def _distribution_of(loss: DiscreteLoss) -> LossAtoms:
    infinite, finite = (loss.p > 0) & (loss.q == 0), (loss.p > 0) & (loss.q > 0)
    infinity = min(1.0, math.fsum(loss.p[infinite]))
    return merged(loss._log_ratio[finite], loss.p[finite], infinity)


def merged(losses: Vector, masses: Vector, infinity: float) -> LossAtoms:
    """Return a distribution in which losses that differ only by rounding are merged into one atom.

    The loss of the merged atom is the largest of the merged losses.
    """
    order = np.argsort(losses, kind="stable")
    losses, masses = losses[order], masses[order]
    if losses.size < 2:
        return LossAtoms(losses, np.minimum(masses, 1.0), infinity)
    same = SAME_LOSS * max(abs(float(losses[0])), abs(float(losses[-1])))
    first = np.concatenate(([0], np.flatnonzero(np.diff(losses) > same) + 1))
    last = np.concatenate((first[1:], [losses.size])) - 1
    if float(np.max(losses[last] - losses[first])) > 4 * same:
        # a chain of close losses is too long to be merged into one atom, so cut the chain into
        # cells
        cells = np.floor((losses - losses[0]) / same)
        first = np.concatenate(([0], np.flatnonzero(np.diff(cells) > 0) + 1))
        last = np.concatenate((first[1:], [losses.size])) - 1
    sums = np.add.reduceat(masses, first) * (1 + _UNIT * (last - first))
    # cap masses at 1, because repeated rounding up would let them grow without bound
    return LossAtoms(losses[last], np.minimum(sums, 1.0), infinity)


def convolved(one: LossAtoms, other: LossAtoms) -> LossAtoms:
    """Return the distribution of the sum of two independent losses."""
    sums = sums_up(one.losses[:, None], other.losses[None, :])
    masses = one.masses[:, None] * other.masses[None, :]
    masses = masses * (1 + 2 * _UNIT) + _TINY
    infinity = one.infinity * (1 - other.infinity) + other.infinity
    if infinity > 0:
        infinity = min(1.0, _numerics.up(infinity) + _TINY)
    return merged(sums.ravel(), masses.ravel(), infinity)


def sums_up(a: Vector, b: Vector) -> Vector:
    """Return a + b, rounded up where the floating-point sum is not exact."""
    with np.errstate(over="ignore", invalid="ignore"):  # a sum that overflows stays infinite
        sums = a + b
        back = sums - a
        # the rounding error of each sum: the exact value of a + b is sums + error
        error = (a - (sums - back)) + (b - back)
    return np.where(error > 0, np.nextafter(sums, math.inf), sums)


def checked(one: LossAtoms, other: LossAtoms, refusal: str) -> LossAtoms:
    """Return the distribution of the sum of two independent losses.

    Raise an error that begins with `refusal` if the sum has more than `MOST_ATOMS` atoms.
    """
    atoms = one.losses.size * other.losses.size
    if atoms > MOST_ATOMS:
        raise ValueError(f"{refusal}: it makes {atoms} atoms at once, {MOST_ATOMS} is the most")
    return convolved(one, other)


def power(atoms: LossAtoms, k: int) -> LossAtoms:
    """Return the distribution of the sum of k independent losses, each with this distribution."""
    total, left, refusal = None, k, f"k must be smaller, got k={_check.shown(k)}"
    while True:
        if left & 1:
            total = atoms if total is None else checked(total, atoms, refusal)
        left >>= 1
        if not left:
            assert total is not None
            return total
        atoms = checked(atoms, atoms, refusal)


def delta_of(atoms: LossAtoms, epsilon: float) -> float:
    """Return the hockey-stick divergence: the sum of mass times (1 - e^(epsilon - loss))+."""
    if epsilon == math.inf:
        return atoms.infinity
    above = atoms.losses > epsilon
    finite = math.fsum(-atoms.masses[above] * np.expm1(epsilon - atoms.losses[above]))
    return min(1.0, _numerics.up(atoms.infinity + finite)) if finite > 0 else atoms.infinity


def deltas_of(atoms: LossAtoms, epsilons: Vector) -> Vector:
    """Return `delta_of` at many increasing epsilons, in one pass from the largest to the smallest.

    Let x be an epsilon or a loss, and y the next smaller one. From x to y, the hockey-stick
    divergence grows by (e^(x - y) - 1) times the sum of mass times e^(y - loss) over all losses
    >= x. All terms are >= 0, so no digits cancel.
    """
    points = np.union1d(atoms.losses, epsilons)
    masses = np.zeros(points.size)
    masses[np.searchsorted(points, atoms.losses)] = atoms.masses
    deltas = np.empty(points.size)
    delta, discounted = atoms.infinity, 0.0
    deltas[-1] = delta
    steps = np.diff(points)
    shrink, grow = np.exp(-steps), -np.expm1(-steps)
    for i in range(points.size - 2, -1, -1):
        discounted += masses[i + 1]
        delta += discounted * grow[i]
        discounted *= shrink[i]
        deltas[i] = delta
    found = deltas[np.searchsorted(points, epsilons)]
    safe = found * (1 + _UNIT * (4 * points.size + 8))
    return np.where(found > atoms.infinity, np.minimum(safe, 1.0), found)


def epsilon_of(atoms: LossAtoms, delta: float) -> float:
    """Return the least epsilon >= 0 whose `delta_of` is at most delta, or inf if none exists."""
    if delta < atoms.infinity:
        return math.inf
    epsilons = np.unique(np.concatenate((atoms.losses[atoms.losses > 0], [0.0])))
    deltas = deltas_of(atoms, epsilons)
    i = int(np.argmax(deltas <= delta))
    if i == 0 or deltas[i] == delta:
        return float(epsilons[i])
    low, high = ((float(epsilons[j]), float(deltas[j])) for j in (i - 1, i))
    return chord_inverse(low, high, delta)


def chord(low: tuple[float, float], high: tuple[float, float], epsilon: float) -> float:
    """Return delta at epsilon on the chord between two points (epsilon, delta) of a profile.

    The chord is linear in e^epsilon. Profiles are convex in e^epsilon, so they lie below their
    chords.
    """
    (e1, d1), (e2, d2) = low, high
    span = math.expm1(e1 - e2)
    left = math.expm1(epsilon - e2) / span
    right = math.exp(epsilon - e2) * math.expm1(e1 - epsilon) / span
    return left * d1 + right * d2


def chord_inverse(low: tuple[float, float], high: tuple[float, float], delta: float) -> float:
    """Return the epsilon, rounded up, at which the chord between two points has a given delta."""
    (e1, d1), (e2, d2) = low, high
    part = (delta - d2) / (d1 - d2) * -math.expm1(e1 - e2) * (1 - 2 * _numerics.MARGIN)
    return min(e2, max(e1, _numerics.sum_up(e2, math.log1p(-part))))


def profile_nodes(one: LossAtoms, other: LossAtoms) -> tuple[list[float], list[float]]:
    """Return the kinks of the pointwise maximum of two privacy profiles, and its deltas there.

    The profiles are those of (P, Q) and of (Q, P). Their maximum has kinks at the losses and where
    the two profiles cross.
    """
    points = np.unique(np.concatenate((one.losses, other.losses, [0.0])))
    points = points[points >= 0]
    first, second = deltas_of(one, points), deltas_of(other, points)
    epsilons, deltas = points.tolist(), np.maximum(first, second).tolist()
    gap = first - second
    for i in np.flatnonzero(gap[1:] * np.sign(gap[:-1]) < 0):
        low, high = float(points[i]), float(points[i + 1])
        # on the scale of e^epsilon, the distance of the crossing from the interval's upper end,
        # divided by the length of the interval
        part = float(gap[i + 1] / (gap[i + 1] - gap[i]))
        crossing = high + math.log1p(part * math.expm1(low - high))
        if low < crossing < high:
            values = [
                chord((low, float(d[i])), (high, float(d[i + 1])), crossing)
                for d in (first, second)
            ]
            epsilons.append(crossing)
            deltas.append(min(1.0, _numerics.up(max(values))))
    return epsilons, deltas
