"""Calibration: the least noise that satisfies a target."""

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
    """Return the mechanism with the least noise that satisfies a target.

    Parameters
    ----------
    mechanism : type or callable
        A class of mechanisms whose noise is one parameter: ``sigma``, ``scale`` or ``epsilon``
        (a smaller epsilon is more noise). Alternatively a function that maps an amount of noise,
        > 0, to a mechanism; more noise must give more privacy.
    target : Guarantee
        The guarantee of all k releases together. Its parameters must be > 0, because no finite
        noise gives perfect privacy (except for a mechanism with ``epsilon=0``).
    sensitivity : float
        The sensitivity of the query, > 0, in the norm that the class documents. It must be 1 if
        the class has no such parameter.
    k : int
        The number of releases, at least 1, each with this sensitivity and fresh noise.
    via : type, optional
        The notion in which the k releases are composed before one conversion to the target's
        notion. The default is the target's notion. For ApproxDP and more than one release, the
        default uses the distribution of the sum of the privacy losses. If this distribution is not
        known, the default is the notion that leads to the least delta, among those in which a
        theorem bounds the mechanism. PureDP guarantees are composed optimally, ApproxDP ones share
        epsilon evenly, and RenyiDP ones are converted by the closed formula
        ``"Canonne-Kamath-Steinke"`` at the best of several orders, so `RenyiDP.epsilon_at` of the
        result may be slightly below the target.
    **fixed
        The other parameters of the class.

    Returns
    -------
    Mechanism
        A mechanism with the adjacency of the target. It satisfies the target by its theorems; with
        less noise, up to rounding, it would not. The noise is rounded up.

    Raises
    ------
    TypeError
        If the class has no such noise parameter, or no theorem (and, with `via`, conversion) leads
        to the target's notion; the message lists the values of `via` that do.
    ValueError
        If no finite noise satisfies the target, or the function returns mechanisms with another
        adjacency than the target.

    Notes
    -----
    For an ApproxDP target and several or sampled releases, an `Accountant` uses the distribution of
    the sum of the privacy losses if a dominating pair is known. The noise is then within about 1e-4
    of the least, and the default bracket of an `Accountant` confirms that it suffices. With
    ``via=RenyiDP`` and `PoissonSubsampled` Gaussian noise, the divergence at the best real order
    bounds epsilon. The searches with an accountant and with Rényi divergences use the secant
    method. The accountant is called 5 to 9 times, at first with coarse sums: for 1,000 steps at a
    rate of 0.01, this takes 0.1 s of processor time if epsilon is 1, and 0.5 s if epsilon is 200.

    k releases with Gaussian noise are equivalent to one with sqrt(k) times the sensitivity, so for
    Gaussian noise composition is tight for every k and every notion.

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
            "target must be of a notion whose guarantees are compared by numbers, "
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
        return make(noise)  # an accountant has verified this noise, so do not increase it
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
    # the margin is for rounding errors. It is not needed for ApproxDP, whose theorems round delta
    # up, nor if the noise parameter is the epsilon of PureDP itself
    as_is = isinstance(target, ApproxDP) or (isinstance(target, PureDP) and not rising)
    if as_is and k == 1 and enough.routes == [type(target)]:
        enough.margin = 0.0
    if is_perfect(target):
        noise = 0.0 if not rising and enough(0.0) else None
    else:
        noise = edge(enough, start, rising=rising)
    if noise is None:
        raise ValueError(
            "target must be one that some finite noise satisfies and less noise does not, "
            f"got target={target!r}{enough.obstacle}"
        )
    return noise * (1 + enough.margin) if rising else noise * (1 - enough.margin)
