"""Channels: the information that an output carries about an input, in nats.

A channel is a matrix of probabilities; the row of an input is the distribution of the output.
A mechanism is a channel whose input is the database. In mutual-information differential privacy,
the input is one entry of the database, and all other entries stay fixed. Most functions take

prior : array_like of shape (n,)
    The distribution of the input.
channel : array_like of shape (n, m)
    The distribution of the output, in one row for each input.

Examples
--------
>>> randomized = [[0.7, 0.3], [0.3, 0.7]]
>>> round(mutual_information([0.5, 0.5], randomized), 4)
0.0823
>>> capacity = channel_capacity(randomized)
>>> capacity.lower <= math.log(2) + 0.7 * math.log(0.7) + 0.3 * math.log(0.3) <= capacity.upper
True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.divergences import _information, _information_of, _joint

__all__ = [
    "Capacity",
    "arc_channel",
    "binary_symmetric_channel",
    "channel_capacity",
    "conditional_mutual_information",
    "diameter",
    "entry_information",
    "mutual_information",
    "mutual_information_level",
    "one_time_pad",
    "output_law",
    "parallel",
    "product_prior",
    "pure_capacity",
    "random_channel",
]

Vector = NDArray[np.float64]

#: the largest number of entries of a matrix that this module creates
MOST_ENTRIES = 2_000_000
#: the largest number of entries of a channel whose capacity can be computed
_MOST_CAPACITY = 100_000
#: the largest product of iterations and matrix entries in the computation of a capacity
_MOST_WORK = 40_000_000


@dataclass(frozen=True)
class Capacity:
    """A lower and an upper bound on the capacity of a channel; both allow for rounding errors.

    Parameters
    ----------
    lower : float
        In [0, upper], in nats: the mutual information at `prior`, rounded down.
    upper : float
        In nats: the largest Kullback-Leibler divergence of a row of the channel from the output
        distribution of some prior, rounded up.
    prior : tuple of float
        The probabilities of the inputs that give `lower`.

    Examples
    --------
    >>> channel_capacity([[1, 0], [0, 1]]).prior
    (0.5, 0.5)
    """

    lower: float
    upper: float
    prior: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            value = _check.real(name, getattr(self, name), _check.EXTENDED_NON_NEGATIVE)
            object.__setattr__(self, name, value)
        if self.lower > self.upper:
            raise ValueError(f"lower must be at most upper={self.upper}, got lower={self.lower}")
        prior = _check.distribution("prior", self.prior)
        object.__setattr__(self, "prior", tuple(prior.tolist()))


def output_law(prior: ArrayLike, channel: ArrayLike) -> Vector:
    """Return the output distribution: the mean of the rows of a channel, weighted by the prior.

    Returns
    -------
    ndarray of shape (m,)
        The probabilities of the outputs.

    Examples
    --------
    >>> output_law([0.25, 0.75], [[1, 0], [0.5, 0.5]]).tolist()
    [0.625, 0.375]
    """
    weights = _check.distribution("prior", prior)
    return weights @ _check.channel("channel", channel, inputs=weights.size)


def mutual_information(prior: ArrayLike, channel: ArrayLike) -> float:
    """Return the mutual information I(X; Y) of a channel's input X and output Y, under a prior.

    The mutual information is the mean of KL(row || output distribution) over the prior.

    Returns
    -------
    float
        In [0, min(log n, log m)] for n inputs and m outputs, in nats; exact up to rounding.

    See Also
    --------
    dpteach.divergences.mutual_information : the same for a joint distribution.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, section 2.4.

    Examples
    --------
    >>> round(mutual_information([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]), 12)
    0.368064207168
    """
    weights = _check.distribution("prior", prior)
    matrix = _check.channel("channel", channel, inputs=weights.size)
    used = weights > 0
    return _information(weights[used], matrix[used], weights[used] @ matrix[used])


def conditional_mutual_information(joint: ArrayLike) -> float:
    """Return the conditional mutual information I(X; Y | Z) of a joint distribution.

    Parameters
    ----------
    joint : array_like of shape (x, y, z)
        P(X = i, Y = j, Z = k).

    Returns
    -------
    float
        In [0, inf), in nats; exact up to rounding.

    Examples
    --------
    The exclusive or of two fair bits reveals nothing about the first bit on its own, but everything
    given the second bit:

    >>> conditional_mutual_information(one_time_pad()) == math.log(2)
    True
    """
    checked = _joint("joint", joint)
    if checked.ndim != 3:
        raise ValueError(f"joint must have 3 axes, got joint of shape {checked.shape}")
    terms = []
    for k in range(checked.shape[2]):
        slice_ = checked[:, :, k]
        mass = math.fsum(slice_.ravel())
        if mass > 0:
            terms.append(mass * _information_of(slice_ / mass))
    return math.fsum(terms)


def channel_capacity(channel: ArrayLike, tolerance: float = 1e-9) -> Capacity:
    """Return a bracket of the capacity, the largest mutual information over all priors.

    The search combines the iteration of Blahut and Arimoto, with longer steps while these help,
    and Newton's method on the inputs that seem to be in the best prior's support. Every prior gives
    a lower bound, its mutual information, and an upper bound, the largest divergence of a row from
    the output distribution. The lower bound is rounded down, and the upper bound up.

    Parameters
    ----------
    tolerance : float
        Finite and >= 0, in nats: the iteration ends when the bracket is at most this wide. For an
        n by m channel it also ends after 40,000,000 / (n m) steps, but at least 40 and at most
        4,000, with the bracket reached by then.

    Returns
    -------
    Capacity
        ``lower <= capacity <= upper``, and the prior that gives `lower`.

    Raises
    ------
    ValueError
        If the channel has more than 100,000 entries.

    References
    ----------
    Blahut (1972), theorem 3; Arimoto (1972); Matz and Duhamel (2004) on the length of the steps.

    Examples
    --------
    >>> capacity = channel_capacity([[0.5, 0.5, 0], [0, 0.5, 0.5]])  # of erasing half of the bits
    >>> round(capacity.lower, 9), round(capacity.upper, 9)  # log(2) / 2
    (0.34657359, 0.34657359)
    """
    matrix = _check.channel("channel", channel)
    tolerance = _check.real("tolerance", tolerance, _check.NON_NEGATIVE)
    if matrix.size > _MOST_CAPACITY:
        raise ValueError(
            f"channel must have at most {_MOST_CAPACITY} entries, "
            f"got channel of shape {matrix.shape}"
        )
    return _capacity(matrix, tolerance)


def _capacity(channel: Vector, tolerance: float) -> Capacity:
    rows = channel[:, channel.max(axis=0) > 0]
    rows = rows / np.array([math.fsum(row) for row in rows])[:, None]
    prior = np.full(len(rows), 1 / len(rows))
    best = _bracket(rows, prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(rows > 0, rows * np.log(rows), 0.0).sum(axis=1)
    step, last = 1.0, -math.inf
    for i in range(1, 1 + min(4_000, max(40, _MOST_WORK // rows.size))):
        if best.upper - best.lower <= tolerance:
            break
        divergences = own - rows @ np.log(np.maximum(prior @ rows, 1e-300))
        # compute small divergences again, because rounding errors of 1e-16 matter for them
        if not divergences.max() > 1e-6:
            divergences = _row_divergences(rows, prior @ rows)
        if not np.all(np.isfinite(divergences)):
            break
        information = float(prior @ divergences)
        step = step * 1.2 if information > last else max(1.0, step / 4)
        last = information
        prior = np.maximum(prior * np.exp(step * (divergences - divergences.max())), 1e-250)
        prior = prior / prior.sum()
        if i & (i - 1) == 0 or i % 500 == 0:
            best = _narrower(best, _bracket(rows, prior))
            for support in _supports(prior, divergences, rows.shape[1]):
                if best.upper - best.lower <= tolerance:
                    break
                best = _narrower(best, _bracket(rows, _balanced(rows, prior, support)))
    return best


def _bracket(rows: Vector, prior: Vector) -> Capacity:
    """Return the bounds on a channel's capacity that a prior gives, rounded outwards."""
    divergences = _row_divergences(rows, prior @ rows)
    used = prior > 0
    lower = max(0.0, math.fsum(prior[used] * divergences[used]) * (1 - 4 * _numerics.MARGIN))
    upper = _numerics.up(_numerics.up(float(divergences.max())))
    return Capacity(min(lower, upper), upper, tuple(prior.tolist()))


def _narrower(one: Capacity, other: Capacity) -> Capacity:
    """Return a bracket with the better lower and the better upper bound of two brackets."""
    better = one if one.lower >= other.lower else other
    return Capacity(better.lower, min(one.upper, other.upper), better.prior)


def _row_divergences(rows: Vector, output: Vector) -> Vector:
    """Return KL(row || output) for every row; a 0 in `output` counts as the smallest float > 0.

    Rounding may make the sum s of `output` differ from one. Then the result is an upper bound on
    the divergence from `output` / s: it exceeds this divergence by s - 1 - log s >= 0.
    """
    # a probability of 0 may be the result of underflow
    output = np.maximum(output, np.nextafter(0.0, 1.0))
    ratios = _numerics.log_ratio(rows, np.broadcast_to(output, rows.shape))
    return np.asarray((output * _numerics.alpha_generator(ratios, 1.0)).sum(axis=1))


def _supports(prior: Vector, divergences: Vector, outputs: int) -> list[NDArray[np.intp]]:
    """Return guesses of which inputs have positive probability under a capacity-attaining prior.

    No guess has more inputs than there are outputs, because some capacity-attaining prior has
    at most that many inputs with positive probability.
    """
    order, farthest = (np.argsort(-x, kind="stable") for x in (prior, divergences))
    sizes = {int((prior > threshold / prior.size).sum()) for threshold in 10.0 ** -np.arange(0, 12)}
    sizes |= {2, outputs}
    # at most 64 inputs, because Newton's method is too slow for more
    most = min(outputs, prior.size, 64)
    return [
        *(order[:size] for size in sorted(sizes, reverse=True) if 2 <= size <= most),
        *([farthest[:outputs]] if 2 <= outputs <= most else []),
    ]


def _balanced(rows: Vector, prior: Vector, support: NDArray[np.intp]) -> Vector:
    """Return a prior on inputs in `support` that Newton's method finds, to maximize information.

    If the method converges, the rows of the inputs that it keeps have equal divergences from the
    output distribution. Inputs whose probability would become negative are removed and not
    restored, so the prior need not be the best on `support`; any prior gives valid bounds.
    """
    part = prior[support] / prior[support].sum()
    for _ in range(60):
        output = part @ rows[support]
        seen = output > 0
        if np.any(rows[support][:, ~seen] > 0):
            break
        own = rows[support][:, seen]
        divergences = _row_divergences(own, output[seen])
        n = support.size
        system = np.zeros((n + 1, n + 1))
        with np.errstate(over="ignore", invalid="ignore"):
            system[:n, :n] = (own / output[seen]) @ own.T
        system[:n, n] = system[n, :n] = 1.0
        if not (np.all(np.isfinite(system)) and np.all(np.isfinite(divergences))):
            break
        try:
            change = np.linalg.solve(system, [*divergences, 0.0])[:n]
        except np.linalg.LinAlgError:
            break
        if not np.all(np.isfinite(change)):
            break
        falling = change < 0
        room = np.full(n, math.inf)
        room[falling] = -part[falling] / change[falling]
        if room.min() <= 1:
            part = np.maximum(part + 0.99 * room.min() * change, 0.0)
            leaves = int(np.argmin(room))
            if room[leaves] < 1e-3 and n > 2:
                support, part = np.delete(support, leaves), np.delete(part, leaves)
        else:
            part = part + change
        part = part / part.sum()
        if np.abs(change).max() < 1e-15:
            break
    whole = np.zeros(prior.size)
    whole[support] = part
    return whole


def diameter(channel: ArrayLike, divergence: Callable[[Vector, Vector], float]) -> float:
    """Return the largest divergence between two rows of a channel, in either direction.

    With `dpteach.divergences.max_divergence`, the result is the least epsilon for which the
    channel is epsilon-differentially private. With the Kullback-Leibler divergence, the result
    is an upper bound on the capacity.

    Parameters
    ----------
    divergence : callable
        A function from two distributions, as arrays, to a number.

    Returns
    -------
    float
        The largest divergence; 0 for a channel with one row.

    References
    ----------
    Cuff and Yu (2016), section 4.

    Examples
    --------
    >>> from dpteach import divergences
    >>> round(diameter([[0.7, 0.3], [0.3, 0.7]], divergences.kl_divergence), 4)
    0.3389
    """
    rows = _check.channel("channel", channel)
    if not callable(divergence):
        raise TypeError(f"divergence must be callable, got divergence={_check.shown(divergence)}")
    n = len(rows)
    return max(
        (divergence(rows[i], rows[j]) for i in range(n) for j in range(n) if i != j),
        default=0.0,
    )


def mutual_information_level(mechanism: ArrayLike, tolerance: float = 1e-9) -> Capacity:
    """Return bounds on the least epsilon of mutual-information DP for a finite mechanism.

    For an entry X_i of the database and the output Y, this epsilon is the largest I(X_i; Y | all
    other entries) over i and over priors on the database. For fixed values of the other entries,
    X_i and Y are the input and the output of a channel. The conditional mutual information is a
    mean over the values of the other entries. So the maximum is the largest capacity of these
    channels, over entries i and values of the other entries.

    Parameters
    ----------
    mechanism : array_like of shape (m1, ..., mn, outputs)
        The distribution of the output, along the last axis, on each database of n entries.
    tolerance : float
        The intended width of the bounds on each capacity, finite and >= 0, as in
        `channel_capacity`.

    Returns
    -------
    Capacity
        ``lower <= epsilon <= upper``, and the prior of the entry X_i that gives `lower`.

    Raises
    ------
    ValueError
        If the array has more than 100,000 probabilities.

    References
    ----------
    Cuff and Yu (2016), definition 2.

    Examples
    --------
    The output is the sum of two bits with probability 1/2, and otherwise a uniformly random number
    from {0, 1, 2}:

    >>> sums = [[[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]]]
    >>> round(mutual_information_level(np.array(sums) / 2 + 1 / 6).upper, 6)
    0.160621
    """
    table = _mechanism(mechanism)
    tolerance = _check.real("tolerance", tolerance, _check.NON_NEGATIVE)
    found = [
        _capacity(rows, tolerance)
        for entry in range(table.ndim - 1)
        for rows in np.moveaxis(table, entry, -2).reshape(-1, table.shape[entry], table.shape[-1])
    ]
    best = max(found, key=lambda capacity: capacity.lower)
    return Capacity(best.lower, max(capacity.upper for capacity in found), best.prior)


def _mechanism(value: object) -> Vector:
    table = _check.array("mechanism", value)
    if table.ndim < 2 or table.size == 0:
        raise ValueError(
            "mechanism must have an axis for each entry of the database and one for the output, "
            f"got mechanism of shape {table.shape}"
        )
    if table.size > _MOST_CAPACITY:
        raise ValueError(
            f"mechanism must have at most {_MOST_CAPACITY} probabilities, "
            f"got mechanism of shape {table.shape}"
        )
    _check.channel("mechanism", table.reshape(-1, table.shape[-1]))
    return table


def entry_information(prior: ArrayLike, mechanism: ArrayLike, entry: int) -> tuple[float, float]:
    """Return I(X_i; Y) and I(X_i; Y | other entries) for an entry X_i and a mechanism's output Y.

    If entries are independent, the first number is at most the second. If they are dependent, the
    output may reveal much about an entry only because it reveals much about other entries that
    depend on it. Only the first number includes this information.

    Parameters
    ----------
    prior : array_like of shape (m1, ..., mn)
        The joint distribution of the entries.
    mechanism : array_like of shape (m1, ..., mn, outputs)
        The distribution of the output, along the last axis, on each database.
    entry : int
        The index i, from 0 to n - 1.

    Returns
    -------
    (float, float)
        In nats; exact up to rounding.

    Examples
    --------
    The entries are two copies of one fair bit, and the mechanism publishes the second:

    >>> entry_information([[0.5, 0], [0, 0.5]], [[[1, 0], [0, 1]]] * 2, 0)
    (0.6931471805599453, 0.0)
    """
    weights, table = _joint("prior", prior), _mechanism(mechanism)
    if weights.shape != table.shape[:-1]:
        raise ValueError(
            f"prior must have all axes of mechanism except the last, {table.shape[:-1]}, "
            f"got prior of shape {weights.shape}"
        )
    entry = _check.count("entry", entry, minimum=0)
    if entry >= weights.ndim:
        raise ValueError(f"entry must be less than {weights.ndim}, got entry={entry}")
    joint = np.moveaxis(weights[..., None] * table, entry, 0)
    # make the three axes: the entry, all other entries together, the output
    joint = joint.reshape(weights.shape[entry], -1, table.shape[-1])
    alone = _information_of(joint.sum(axis=1))
    return alone, conditional_mutual_information(np.moveaxis(joint, 1, 2) / math.fsum(joint.flat))


def product_prior(*distributions: ArrayLike) -> Vector:
    """Return the joint distribution of independent entries.

    Parameters
    ----------
    *distributions : array_like of shape (m,)
        The distribution of each entry; at least one.

    Returns
    -------
    ndarray of shape (m1, ..., mn)
        The products of the probabilities.

    Raises
    ------
    ValueError
        If the array would have more than 2,000,000 entries.

    Examples
    --------
    >>> product_prior([0.5, 0.5], [0.25, 0.75]).tolist()
    [[0.125, 0.375], [0.125, 0.375]]
    """
    if not distributions:
        raise ValueError("distributions must hold at least one, got distributions=()")
    factors = [_check.distribution(f"distributions[{i}]", p) for i, p in enumerate(distributions)]
    if len(factors) > 32 or math.prod(factor.size for factor in factors) > MOST_ENTRIES:
        raise ValueError(
            f"distributions must have at most {MOST_ENTRIES} joint values, "
            f"got {len(factors)} distributions"
        )
    joint = factors[0]
    for factor in factors[1:]:
        joint = np.multiply.outer(joint, factor)
    return np.array(joint)


def parallel(first: ArrayLike, second: ArrayLike) -> Vector:
    """Return the channel that applies two channels to one input, independently given the input.

    For every prior, the mutual information of the returned channel is at most the sum of the
    mutual informations of the two channels. Without conditional independence this fails: see
    `one_time_pad`.

    Parameters
    ----------
    first, second : array_like of shape (n, m1) and (n, m2)
        Two channels with the same inputs.

    Returns
    -------
    ndarray of shape (n, m1 m2)
        A column for each pair of outputs; the index of the second output varies fastest.

    Raises
    ------
    ValueError
        If the channel has more than 2,000,000 entries.

    References
    ----------
    Cuff and Yu (2016), section 3, on subadditivity.

    Examples
    --------
    >>> once = binary_symmetric_channel(0.3)
    >>> fair = [0.5, 0.5]
    >>> round(mutual_information(fair, parallel(once, once)), 6)
    0.151711
    >>> round(2 * mutual_information(fair, once), 6)
    0.164566
    """
    one = _check.channel("first", first)
    two = _check.channel("second", second, inputs=len(one))
    if one.size * two.shape[1] > MOST_ENTRIES:
        raise ValueError(
            f"second must make at most {MOST_ENTRIES} entries, got second of shape {two.shape}"
        )
    return np.asarray((one[:, :, None] * two[:, None, :]).reshape(len(one), -1))


def one_time_pad() -> Vector:
    """Return the joint distribution of X, X xor N and N, for independent fair bits X and N.

    Neither X xor N nor N alone reveals anything about X, but the two together determine X. So
    two outputs together may have more mutual information with an input than the sum of what each
    has alone, unless the outputs are independent given the input.

    Returns
    -------
    ndarray of shape (2, 2, 2)
        P(X = i, X xor N = j, N = k).

    Examples
    --------
    >>> from dpteach.divergences import mutual_information
    >>> joint = one_time_pad()
    >>> mutual_information(joint.sum(axis=2)), mutual_information(joint.sum(axis=1))
    (0.0, 0.0)
    >>> round(mutual_information(joint.reshape(2, 4)), 12)
    0.69314718056
    """
    joint = np.zeros((2, 2, 2))
    for x in (0, 1):
        for n in (0, 1):
            joint[x, x ^ n, n] = 0.25
    return joint


def binary_symmetric_channel(flip: float) -> Vector:
    """Return the channel that flips a bit with a probability in [0, 1].

    Its capacity is `dpteach.divergences.binary_symmetric_capacity`.

    Returns
    -------
    ndarray of shape (2, 2)
        A row for each input bit.

    Examples
    --------
    >>> binary_symmetric_channel(0.25).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    flip = _check.real("flip", flip, _check.PROBABILITY)
    return np.array([[1 - flip, flip], [flip, 1 - flip]])


def arc_channel(epsilon: float, inputs: int, marked: int) -> Vector:
    """Return an epsilon-differentially private channel between points of a circle.

    Each of the `marked` consecutive points that begin at the input is e^epsilon times as likely to
    be the output as each other point. With one marked point this is randomized response. The
    channel has the largest possible capacity, `pure_capacity`, if the share of marked points is
    exactly (u - 1)/(e^epsilon - 1) for u = epsilon/(1 - e^-epsilon).

    Parameters
    ----------
    epsilon : float
        In [0, 700], in nats.
    inputs : int
        The number of points, from 2 to 1414.
    marked : int
        The number of marked points, from 1 to inputs.

    Returns
    -------
    ndarray of shape (inputs, inputs)
        A row of output probabilities for each input.

    Examples
    --------
    >>> uniform = np.full(12, 1 / 12)
    >>> round(mutual_information(uniform, arc_channel(1.0, 12, 4)), 6), round(pure_capacity(1.0), 6)
    (0.123284, 0.123302)
    """
    epsilon = _check.real("epsilon", epsilon, _check.Domain("in [0, 700]", lambda e: 0 <= e <= 700))
    inputs = _check.count("inputs", inputs, minimum=2)
    if inputs**2 > MOST_ENTRIES:
        raise ValueError(f"inputs must be at most 1414, got inputs={inputs}")
    marked = _check.count("marked", marked)
    if marked > inputs:
        raise ValueError(f"marked must be at most inputs={inputs}, got marked={marked}")
    distance = (np.arange(inputs)[None, :] - np.arange(inputs)[:, None]) % inputs
    share = math.exp(-epsilon)
    high = 1 / (marked + (inputs - marked) * share)
    return np.where(distance < marked, high, high * share)


def pure_capacity(epsilon: float) -> float:
    """Return the largest capacity of an epsilon-differentially private channel, over all channels.

    The capacity is u - 1 - log u for u = epsilon/(1 - e^-epsilon), which is about epsilon^2/8 for
    a small epsilon and about epsilon - 1 - log(epsilon) for a large one. Channels with many inputs
    come close, for example `arc_channel`; with two inputs, the largest capacity is that of
    randomized response.

    Parameters
    ----------
    epsilon : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, inf], in nats; exact up to rounding.

    Notes
    -----
    For an output y, let r(x) = W(y|x)/M(y), where W is the channel and M the output distribution.
    The mutual information is the mean of r log r over independent x and y. For each y, the mean of
    r over x is one, and r lies in some interval [a, a e^epsilon]. Since r log r is convex, it lies
    below its chord there. So its mean is at most the value of the chord at r = 1, which is
    log a + (1 - a) u. This is largest at a = 1/u, and is attained if r takes only the end values.

    References
    ----------
    Wang et al. (2016), arXiv:1607.08025, for a fixed number of inputs, by their k-subset mechanism.

    Examples
    --------
    >>> round(pure_capacity(1.0), 6)
    0.123302
    """
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    x = epsilon / 2
    if math.isinf(x):
        return math.inf
    # the result is (x coth x - 1) + log(sinh x / x); both terms are positive, so no digits cancel
    if x > 0.5:
        return x / math.tanh(x) - 1 + x - math.log(2 * x) + math.log1p(-math.exp(-2 * x))
    square, powers, terms = (x / math.pi) ** 2, 1.0, []
    for k, zeta in enumerate(_ZETA_OF_EVEN, start=1):
        powers *= -square
        terms.append(-powers * zeta * (2 + 1 / k))
    return math.fsum(terms)


#: the values zeta(2), zeta(4), ... of Riemann's function, for the series x coth x - 1 = sum of -2
#: zeta(2k) (-(x/pi)^2)^k
_ZETA_OF_EVEN = [
    math.pi**2 / 6,
    math.pi**4 / 90,
    *(math.fsum(n ** (-2.0 * k) for n in range(1, 600)) for k in range(3, 13)),
]


def random_channel(
    rng: np.random.Generator, inputs: int, outputs: int, concentration: float = 1.0
) -> Vector:
    """Return a random channel whose rows are independent draws from a Dirichlet distribution.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of randomness.
    inputs, outputs : int
        The numbers of inputs and of outputs, at least 1.
    concentration : float
        The parameter of the symmetric Dirichlet distribution, finite and > 0. At 1, rows are
        uniform on the simplex; below 1, they concentrate near its corners.

    Returns
    -------
    ndarray of shape (inputs, outputs)
        A row of output probabilities for each input.

    Raises
    ------
    ValueError
        If the channel has more than 2,000,000 entries.

    Examples
    --------
    >>> channel = random_channel(np.random.default_rng(0), 2, 3)
    >>> channel.shape, bool(abs(channel.sum(axis=1) - 1).max() < 1e-12)
    ((2, 3), True)
    """
    rng = _check.generator(rng)
    inputs, outputs = _check.count("inputs", inputs), _check.count("outputs", outputs)
    concentration = _check.real("concentration", concentration, _check.POSITIVE)
    if inputs * outputs > MOST_ENTRIES:
        raise ValueError(
            f"outputs must be such that inputs times outputs is at most {MOST_ENTRIES}, "
            f"got outputs={outputs} and inputs={inputs}"
        )
    # with a small concentration, all weights of a row may underflow; then choose one output at
    # random and give it probability 1
    rows = rng.standard_gamma(concentration, size=(inputs, outputs))
    corner = np.arange(outputs) == rng.integers(outputs, size=inputs)[:, None]
    largest = rows.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(largest > 0, rows / largest, corner)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
