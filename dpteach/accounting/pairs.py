"""The dominating pair of distributions of a mechanism or guarantee, which accountants compose.

A pair (P, Q) dominates a mechanism if every hockey-stick divergence between its outputs on two
neighbors is at most that of (P, Q) if a person is removed, and at most that of (Q, P) if one is
added. The composition of such pairs then dominates the composition of the mechanisms [1]_.

.. [1] Zhu, Dong and Wang (2022), definition 7 and theorems 10 and 11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _numerics
from dpteach.accounting.lattice import Base, GaussianBase, LaplaceBase, StepLoss
from dpteach.amplification import PoissonSubsampled
from dpteach.conversions import convert
from dpteach.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    Mechanism,
    PostProcessed,
    RandomizedResponse,
)
from dpteach.mechanisms.discrete_gaussian import _Weights
from dpteach.notions import (
    FDP,
    PLD,
    Adjacency,
    ApproxDP,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
)
from dpteach.notions._loss_atoms import LossAtoms
from dpteach.privacy_loss import DiscreteLoss

Vector = NDArray[np.float64]

#: beyond this many standard deviations, probabilities of a discrete Gaussian underflow
_REACH = 60.0
#: the largest epsilon of a pure-DP claim that is used: probabilities of larger losses underflow
_LARGEST = 700.0
#: the largest shifts between the two normal or the two Laplace distributions of a pair: for larger
#: ones, the losses or their sums overflow
_FARTHEST_NORMAL, _FARTHEST_LAPLACE = 1e150, 1e290
#: the losses, in both directions, of an output that is independent of the data
_NOTHING = (StepLoss(1.0, [0.0], [0.0]),) * 2


@dataclass(frozen=True)
class Pair:
    """A dominating pair of distributions.

    Attributes
    ----------
    losses : (StepLoss, StepLoss)
        The distributions of the loss if a person is removed, and if one is added; the same object
        if they are equal.
    exact : bool
        Whether some neighbors have this pair of output distributions, so that the pair gives lower
        bounds on epsilon and delta, too.
    mu : float or None
        The shift, if the pair is N(mu, 1) and N(0, 1).
    response : ApproxDP or None
        The guarantee whose worst case is this pair, if there is one.
    """

    losses: tuple[StepLoss, StepLoss]
    exact: bool = True
    mu: float | None = None
    response: ApproxDP | None = None


def dominating_pair(event: Mechanism | Guarantee) -> Pair | None:
    """Return the dominating pair of distributions of a mechanism or guarantee; None if unknown.

    If the event is a sampled or post-processed mechanism, the pair follows from that of the
    mechanism inside. For known kinds of noise, the pair is that of the noise. Otherwise it is a
    pair that dominates every mechanism with the same guarantee.
    """
    rate, exact, inner = 1.0, True, event
    while isinstance(inner, PoissonSubsampled | PostProcessed):
        if isinstance(inner, PoissonSubsampled):
            rate *= inner.rate
        else:
            exact = False
        inner = inner.mechanism
    if rate == 0:
        return Pair(_NOTHING, exact)
    if isinstance(inner, Guarantee):
        return _of_claim(inner)
    if isinstance(inner, Gaussian):
        shift = inner.sensitivity / inner.sigma
        if rate < 1 and shift > _FARTHEST_NORMAL:
            return _told_apart(rate)
        both = _both(rate, base=GaussianBase(shift))
        # the exact formula needs an upper bound on the shift, so round it up
        mu = _numerics.quotient_up(inner.sensitivity, inner.sigma) if rate == 1 else None
        return Pair(both, exact, mu=mu)
    if isinstance(inner, Laplace):
        shift = inner.sensitivity / inner.scale
        if shift > _FARTHEST_LAPLACE:
            return _told_apart(rate)
        masses = [-math.log(2), -shift - math.log(2)]
        return Pair(_both(rate, [-shift, shift], masses, base=LaplaceBase(shift)), exact)
    if isinstance(inner, RandomizedResponse):
        return _of_response(ApproxDP(inner.epsilon, 0.0), rate, exact)
    loss, claim = _loss_of(inner), _pure_claim_of(inner)
    if loss is not None and not (claim and claim.epsilon > _LARGEST):
        if isinstance(inner, DiscreteGaussian):
            return Pair(_both(rate, *_discrete_gaussian(inner)), exact)
        return Pair(_both(rate, *_atoms(loss), symmetric=_is_symmetric(loss)), exact)
    if claim is not None:  # randomized response dominates every pure-DP mechanism
        return _of_response(ApproxDP(claim.epsilon, 0.0), rate, exact=False)
    return None


def _loss_of(mechanism: Mechanism) -> DiscreteLoss | None:
    """Return a mechanism's privacy loss if it is discrete and usable for composition, else None.

    It is usable if the sum of k independent losses of this kind bounds the loss of k runs.
    """
    try:
        loss = mechanism.privacy_loss()
    except (TypeError, ValueError):
        return None
    if not isinstance(loss, DiscreteLoss):
        return None
    # with replace-one neighbors, steps may have the worst-case pair in opposite directions, so
    # only a symmetric pair of distributions dominates their composition
    one_way = mechanism.adjacency is Adjacency.REPLACE_ONE
    return None if one_way and not _is_symmetric(loss) else loss


def _pure_claim_of(mechanism: Mechanism) -> PureDP | None:
    try:
        return mechanism.guarantee(PureDP)
    except (TypeError, ValueError):
        return None


def _both(
    rate: float,
    losses: ArrayLike = (),
    log_masses: ArrayLike = (),
    escaped: float = 0.0,
    *,
    base: Base | None = None,
    symmetric: bool = True,
) -> tuple[StepLoss, StepLoss]:
    """Return the privacy losses of ((1-q) Q + q P, Q) and of the reversed pair, with q = `rate`.

    The other arguments describe P and Q. If both losses are equal, they are the same object.
    """
    one = StepLoss(rate, losses, log_masses, base, escaped=escaped)
    if rate == 1 and symmetric:
        return one, one
    return one, StepLoss(rate, losses, log_masses, base, escaped=escaped, forward=False)


def _of_claim(claim: Guarantee) -> Pair | None:
    # convert ProbabilisticDP to ApproxDP, which loses nothing because the conversion is tight
    if isinstance(claim, ProbabilisticDP):
        claim = convert(claim, to=ApproxDP, epsilon=claim.epsilon)
    if isinstance(claim, PureDP):
        claim = ApproxDP(claim.epsilon, 0.0, adjacency=claim.adjacency)
    if isinstance(claim, ApproxDP):
        return _of_response(claim, 1.0, exact=True)
    if isinstance(claim, GaussianDP):
        if claim.mu == 0:
            return Pair(_NOTHING)
        return Pair(_both(1.0, base=GaussianBase(claim.mu)), mu=claim.mu)
    if isinstance(claim, FDP):
        return Pair((_of_atoms(claim._atoms()),) * 2)
    if isinstance(claim, PLD):
        first, second = claim._both_atoms()
        return Pair((_of_atoms(first), _of_atoms(second)))
    return None


def _of_atoms(atoms: LossAtoms) -> StepLoss:
    with np.errstate(divide="ignore"):
        logs = np.log(atoms.masses) - atoms.losses
    return StepLoss(1.0, atoms.losses, logs, escaped=atoms.infinity)


def _of_response(claim: ApproxDP, rate: float, exact: bool) -> Pair:
    """Return the pair that dominates all (epsilon, delta)-DP mechanisms on a Poisson sample.

    `rate` is the probability with which a person is sampled. The worst mechanism is randomized
    response on a secret bit that, with probability delta, reveals the bit with certainty [1]_.

    .. [1] Kairouz, Oh and Viswanath (2015), section 4.
    """
    epsilon, delta = claim.epsilon, claim.delta
    if delta == 1:
        return Pair(_both(rate, [-math.inf], [0.0], 1.0), exact)
    losses = [epsilon, -epsilon]
    masses = [_log_logistic(-epsilon), _log_logistic(epsilon)]
    if epsilon == 0:
        losses, masses = [0.0], [0.0]
    masses = [mass + math.log1p(-delta) for mass in masses]
    if delta > 0:
        losses, masses = [*losses, -math.inf], [*masses, math.log(delta)]
    both = _both(rate, losses, masses, delta)
    return Pair(both, exact, response=claim if rate == 1 else None)


def _told_apart(rate: float) -> Pair:
    """Return the pair of a mechanism that reveals whether a person was sampled.

    It dominates every pair at this rate, and is used if losses are so large that floats overflow.
    """
    return Pair(_both(rate, [-math.inf], [0.0], 1.0), exact=False)


def _log_logistic(x: float) -> float:
    return min(x, 0.0) - math.log1p(math.exp(-abs(x)))


def _discrete_gaussian(inner: DiscreteGaussian) -> tuple[Vector, Vector]:
    """Return the losses of discrete Gaussian noise and the logs of their (positive) masses."""
    sigma, shift = inner.sigma, int(inner.sensitivity)
    reach = math.ceil(_REACH * sigma) + shift
    x = np.arange(shift - reach, reach + 1.0)
    weights = _Weights(sigma)
    # P is centered at 0 and Q at the shift: the smaller the outcome, the larger the loss
    losses = shift / sigma * ((shift - 2 * x) / (2 * sigma))
    return losses, weights.log_weight(x - shift) - weights.log_total()


def _atoms(loss: DiscreteLoss) -> tuple[Vector, Vector, float]:
    seen = loss.q > 0
    with np.errstate(divide="ignore"):
        losses, logs = np.log(loss.p[seen]) - np.log(loss.q[seen]), np.log(loss.q[seen])
    return losses, logs, math.fsum(loss.p[~seen])


def _is_symmetric(loss: DiscreteLoss) -> bool:
    """Return whether exchanging P and Q only permutes the outcomes."""
    one = np.lexsort((loss.q, loss.p))
    other = np.lexsort((loss.p, loss.q))
    return bool(
        np.array_equal(loss.p[one], loss.q[other]) and np.array_equal(loss.q[one], loss.p[other])
    )
