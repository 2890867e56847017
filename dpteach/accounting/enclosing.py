"""Optimistic and pessimistic approximations of a privacy loss distribution on a lattice."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy

import numpy as np

from dpteach import _check
from dpteach.accounting.lattice import StepLoss, TooLarge
from dpteach.accounting.lattice.cells import Cells
from dpteach.accounting.lattice.enclosing import LatticeLoss, above, below
from dpteach.accounting.pairs import dominating_pair
from dpteach.accounting.routes import Event
from dpteach.mechanisms import Mechanism
from dpteach.notions import PLD, Guarantee

FiniteAtoms = tuple[list[float], list[float]]
#: a function that turns the masses on lattice cells of some width into two loss distributions on
#: the lattice points, a lower and an upper one
Both = Callable[[Cells, float], tuple[LatticeLoss, LatticeLoss]]


def enclosing_plds(event: Event, *, step: float) -> tuple[PLD, PLD]:
    """Return two lattice distributions, below and above an event's privacy loss distribution.

    Parameters
    ----------
    event : Mechanism or Guarantee
        An event with a known dominating pair of distributions.
    step : float
        The spacing of the lattice, in (0, 1], in nats.

    Returns
    -------
    (PLD, PLD)
        The optimistic and the pessimistic distribution. All hockey-stick divergences of the first
        are below those of the event's dominating pair, and all of the second are above. This
        remains true if each is composed with itself k times. Their deltas differ by about step^2
        where the loss has a density, and by a fraction of step where losses of positive
        probability lie between lattice points. Tails of mass 1e-15 are truncated; in the
        pessimistic distribution this mass is an infinite loss. For deltas near or below 1e-15 use
        `Accountant`, whose truncation errors are small relative to delta.

    Raises
    ------
    TypeError
        If no dominating pair of the event is known.
    ValueError
        If its losses and the step require a lattice of more than 2^17 points.

    Notes
    -----
    Cost: proportional to the number of points.

    References
    ----------
    Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), section 4.

    Examples
    --------
    >>> from dpteach import ApproxDP, Gaussian
    >>> optimistic, pessimistic = enclosing_plds(Gaussian(sigma=2.0), step=0.02)
    >>> truth = Gaussian(sigma=2.0).guarantee(ApproxDP, epsilon=1.0).delta
    >>> optimistic.delta_at(1.0) < truth < pessimistic.delta_at(1.0)
    True
    >>> round(truth, 5), pessimistic.delta_at(1.0) - optimistic.delta_at(1.0) < 2e-5
    (0.00683, True)
    """
    return _two_plds(event, step, lambda cells, h: (below(cells, h, 0.0), above(cells, h, 0.0)))


def rounded_plds(event: Event, *, step: float) -> tuple[PLD, PLD]:
    """Return an event's privacy loss distribution with each loss rounded down, and rounded up.

    The contribution to a hockey-stick divergence increases with the loss. So all divergences of the
    first distribution are below those of the event's dominating pair, all of the second are above,
    and the same holds under composition. Rounding changes the sum of k losses by less than k steps.
    This is simpler than `enclosing_plds`, but gives wider bounds. The rounded-down distribution
    need not belong to any pair of distributions (P, Q), and it is not a privacy guarantee.

    Parameters
    ----------
    event : Mechanism or Guarantee
        An event with a known dominating pair of distributions.
    step : float
        The spacing of the rounded losses, in (0, 1], in nats.

    Returns
    -------
    (PLD, PLD)
        Losses rounded down, and rounded up. Tails are truncated as in `enclosing_plds`.

    Raises
    ------
    TypeError, ValueError
        In the same cases as in `enclosing_plds`.

    Notes
    -----
    Cost: proportional to the number of points.

    Examples
    --------
    >>> from dpteach import RandomizedResponse
    >>> coin = RandomizedResponse(math.log(3))  # losses of 1.0986
    >>> down, up = rounded_plds(coin, step=0.5)
    >>> down.losses, up.losses
    ((-1.5, 1.0), (-1.0, 1.5))
    >>> [round(one.self_compose(2).delta_at(1.0), 4) for one in (down, up)]
    [0.3556, 0.4864]
    """
    return _two_plds(
        event, step, lambda cells, _: (_rounded(cells, 0), _rounded(cells, 1)), multiples=True
    )


def _rounded(cells: Cells, end: int) -> LatticeLoss:
    """Return the distribution of losses that are all rounded down (end 0) or up (end 1)."""
    weights = cells.atoms.copy()
    weights[end : end + cells.down.size] += cells.down + cells.up
    return LatticeLoss(cells.start, weights, cells)


def _two_plds(event: Event, step: float, both: Both, *, multiples: bool = False) -> tuple[PLD, PLD]:
    _check.instance("event", event, (Mechanism, Guarantee))
    step = _check.real("step", step, _check.Domain("in (0, 1]", lambda x: 0 < x <= 1))
    pair = dominating_pair(event)
    if pair is None:
        raise TypeError(
            "event must have a known dominating pair of distributions, "
            f"got event={_check.shown(event)}"
        )
    optimistic, pessimistic = [], []
    for loss in pair.losses:
        # let the lattice contain 0, so that losses are rounded to multiples of the step; by
        # default it contains the largest atom
        if multiples:
            loss = copy(loss)
            loss.offset = 0.0
        low, high = _two_losses(event, loss, step, both)
        optimistic.append(low)
        pessimistic.append(high)
    return (
        PLD(*optimistic[0], *optimistic[1], adjacency=event.adjacency),
        PLD(*pessimistic[0], *pessimistic[1], adjacency=event.adjacency),
    )


def _two_losses(
    event: Event, loss: StepLoss, step: float, both: Both
) -> tuple[FiniteAtoms, FiniteAtoms]:
    """Return a lower and an upper loss distribution on a lattice, each as its losses and masses."""
    extent = loss.extent(0.0, -35.0)
    least = extent / 2**17
    if not least <= 1:
        raise ValueError(
            "event must have losses that fit a lattice of at most 2^17 points and a step of at "
            f"most 1, got event={_check.shown(event)}, whose losses extend over {extent:.3g}"
        )
    if step < least:
        raise ValueError(
            f"step must be at least {least:.3g} for a lattice of at most 2^17 points, "
            f"got step={step}"
        )
    try:
        cells = loss.cells(step, 0.0, -35.0)
    except TooLarge:
        raise ValueError(
            "event must have losses that fit a lattice: try more noise, "
            f"got event={_check.shown(event)}"
        ) from None
    points = loss.offset + step * (cells.start + np.arange(cells.atoms.size))
    scale = math.exp(cells.log_moment)
    found = []
    for lattice, rest in zip(both(cells, step), (-1, 1), strict=True):
        masses = np.clip(lattice.weights * scale * (1 + rest * 1e-12), 0.0, 1.0)
        left = max(0.0, 1 - math.fsum(masses))
        # in the lower distribution, move the truncated mass to the smallest loss, and keep only
        # the probability of an infinite loss at infinity
        if rest < 0:
            masses[0] += max(0.0, left - loss.infinite)
            left = loss.infinite
        else:
            left = min(1.0, max(left, loss.infinite + cells.lost))
        found.append(([*points.tolist(), math.inf], [*masses.tolist(), left]))
    return found[0], found[1]
