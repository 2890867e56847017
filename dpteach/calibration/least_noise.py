"""The least noise that reaches a target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpteach import _check
from dpteach.calibration.closed_forms import largest_shift, rounded
from dpteach.calibration.makers import M, maker
from dpteach.calibration.searches import edge
from dpteach.calibration.sums import accepted_noise, noise_of_sums
from dpteach.calibration.theorems import condition, is_perfect
from dpteach.mechanisms import Mechanism
from dpteach.notions import ApproxDP, Guarantee, PureDP


def calibrate(
    mechanism: Callable[..., M],
    target: Guarantee,
    *,
    sensitivity: float = 1.0,
    k: int = 1,
    via: type[Guarantee] | None = None,
    **fixed: Any,
) -> M:
    """The mechanism with the least noise that satisfies a target.

    Parameters
    ----------
    mechanism : type or callable
        A class of mechanisms whose noise is one number: ``sigma``, ``scale`` or (less is more
        noise) ``epsilon``. Or a function from the amount of noise, > 0, to a mechanism that is
        the more private the larger it is.
    target : Guarantee
        For all k releases together. Its parameters must be > 0: no finite noise gives perfect
        privacy (but ``epsilon=0`` does).
    sensitivity : float
        Of the true answer, > 0, in the norm that the class names; must be 1 where the class has
        no such parameter.
    k : int
        How many answers are released, each with fresh noise, at least 1. Each has this
        sensitivity.
    via : type, optional
        The notion in which the mechanism's theorem is used and the k releases are added up,
        before one conversion to the target's. By default the target's own; for ApproxDP and
        more than one release the sum of the losses, or, where their law is not known, every
        notion that has a theorem, whichever gives the least delta.
        PureDP claims are composed optimally, ApproxDP ones share epsilon evenly, and RenyiDP ones
        are converted by the closed formula ``"Canonne-Kamath-Steinke"``, at the best of some
        orders: `RenyiDP.epsilon_at` of the mechanism found may be a little below the target.
    **fixed
        The other parameters of the class.

    Returns
    -------
    Mechanism
        With the adjacency of the target. It satisfies the target by the mechanism's theorems,
        and with less noise, up to rounding, it would not. Its noise is rounded up.

    Raises
    ------
    TypeError
        If the noise of the class is no such number, or no theorem (and, with `via`, conversion)
        leads to the target's notion; the message says which do.
    ValueError
        If the target cannot be reached with finite noise, or the mechanisms that a function
        returns have another adjacency than the target.

    Notes
    -----
    Several releases, or sampled ones, under an ApproxDP target are accounted for by the law of the
    sum of their privacy losses (`Accountant`) wherever the worst pair of laws is known: noise
    within about 1e-4 of the least, for which the default bracket of an `Accountant` says that it
    is enough. With ``via=RenyiDP``, for `PoissonSubsampled` Gaussian noise, the divergence at the
    best real order bounds epsilon. Both search by secants. An accountant is asked some 5 to 9
    times, at first about coarse sums: 1,000 steps at a rate of 0.01 take 0.1 s of processor time
    for an epsilon of 1, and 0.5 s for one of 200.

    k releases of Gaussian noise are one with sqrt(k) times the sensitivity: for it nothing is
    lost for any k and any notion.

    References
    ----------
    Balle and Wang (2018), algorithm 1, for approximate DP; Liu and Wang, corollary 1.

    Examples
    --------
    >>> from dpteach import ZCDP, Gaussian, Laplace, PoissonSubsampled
    >>> round(calibrate(Gaussian, ApproxDP(1.0, 1e-5)).sigma, 6)
    3.730632
    >>> calibrate(Laplace, PureDP(0.5), sensitivity=2.0).scale
    4.0
    >>> target = ApproxDP(0.5, 1e-5)
    >>> round(calibrate(Gaussian, target, k=1000).sigma, 1)
    222.4
    >>> round(calibrate(Gaussian, target, k=1000, via=ZCDP).sigma, 1)
    242.5
    >>> step = calibrate(
    ...     lambda sigma: PoissonSubsampled(Gaussian(sigma), 0.01), ApproxDP(2.0, 1e-5), k=10_000
    ... )
    >>> round(step.mechanism.sigma, 4)
    2.1274
    """
    _check.instance("target", target, Guarantee)
    if target._is_curve:
        raise TypeError(
            "target must be of a notion whose claims are compared by numbers, "
            f"got target={_check.shown(target)}"
        )
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)
    k = _check.count("k", k)
    if via is not None and not (isinstance(via, type) and issubclass(via, Guarantee)):
        raise TypeError(
            f"via must be a notion, a subclass of Guarantee, got via={_check.shown(via)}"
        )
    make, rising = maker(mechanism, target, sensitivity, fixed)
    shift = largest_shift(mechanism, target, k) if via is None and not fixed else None
    start = sensitivity if rising else 1.0
    if shift is not None:
        return make(rounded(make, sensitivity, shift, target, k))
    noise = noise_of_sums(make, target, k, start, via, rising=rising)
    if noise is None:
        noise = _noise_by_theorems(make, target, k, start, via, rising=rising)
    elif not (isinstance(target, ApproxDP) and target.epsilon == 0):
        return make(noise)  # an accountant has seen it
    return make(accepted_noise(make, noise, target, k, rising=rising))


def _noise_by_theorems(
    make: Callable[[float], Mechanism],
    target: Guarantee,
    k: int,
    start: float,
    via: type[Guarantee] | None,
    *,
    rising: bool,
) -> float:
    enough = condition(make, start, target, k, via)
    # a profile is rounded up, and the epsilon of a mechanism is its claim
    as_is = isinstance(target, ApproxDP) or (isinstance(target, PureDP) and not rising)
    if as_is and k == 1 and enough.routes == [type(target)]:
        enough.margin = 0.0
    if is_perfect(target):
        noise = 0.0 if not rising and enough(0.0) else None
    else:
        noise = edge(enough, start, rising=rising)
    if noise is None:
        raise ValueError(
            "target must be one that some finite noise reaches and that less noise does not, "
            f"got target={target!r}{enough.obstacle}"
        )
    return noise * (1 + enough.margin) if rising else noise * (1 - enough.margin)
