"""Mutual-information differential privacy: a bound on what an output reveals about one entry."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

from dpteach import _check, _numerics
from dpteach._language import N_, catalog
from dpteach.divergences import _bias_of_capacity
from dpteach.notions._base import Guarantee, Reason, at_most
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

_, _n = catalog("notions")

_CUFF_YU = Reason(
    "Cuff and Yu (2016), property 5", "exact", note=N_("A binary symmetric channel reaches it.")
)
_COINS = Reason(
    "the capacity of binary channels, after Cuff and Yu (2016), property 5",
    "exact",
    note=N_("A channel of one bit reaches it."),
)
#: for an epsilon (a claimed bound on the capacity of a channel) below this number, the usual
#: formulas would underflow, so simpler bounds are used
_SMALLEST = 1e-290


@dataclass(frozen=True, repr=False)
class MutualInformationDP(Guarantee):
    """epsilon-mutual-information differential privacy.

    For every prior on the database, the output Y reveals at most epsilon nats about an entry X_i
    to an attacker who knows all other entries: I(X_i; Y | the rest) <= epsilon.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Notes
    -----
    The definition does not limit the number of values of an entry. `tightest` and `holds_for`
    consider an entry with two possible values: the output distributions P and Q for these two
    values are the rows of a channel with two inputs.

    Post-processing preserves the claim: it does not increase mutual information (Cover and
    Thomas, theorem 2.8.1).

    References
    ----------
    Cuff and Yu (2016), definition 2.

    Examples
    --------
    >>> claim = MutualInformationDP(0.01)
    >>> round(claim.delta_at(0.0), 12), round(claim.delta_at(1.0), 12)
    (0.141185140547, 0.032599937862)
    >>> MutualInformationDP(1.0).epsilon_at(0.5)
    inf
    """

    epsilon: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.NON_NEGATIVE))

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        return self.epsilon, _("the mutual information"), None

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return the guarantee with the smallest epsilon for the channel with the rows P and Q.

        `loss` is the privacy loss of P and Q. The epsilon is an upper bound on the capacity of the
        channel, within 1e-9. For every mixture M of P and Q, the capacity is at most the larger
        of KL(P || M) and KL(Q || M), and at the best mixture the two are equal.

        Raises
        ------
        TypeError
            If the loss is not that of two discrete distributions.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(MutualInformationDP.tightest(loss).epsilon, 9)
        0.110944072
        """
        _check.instance("loss", loss, DiscreteLoss)
        assert isinstance(loss, DiscreteLoss)

        def divergences(weight: float) -> tuple[float, float]:
            mixture = weight * loss.p + (1 - weight) * loss.q
            mixture = mixture / math.fsum(mixture)
            return DiscreteLoss(loss.p, mixture).kl(), DiscreteLoss(loss.q, mixture).kl()

        # KL(P || M) decreases in the weight of P, because more weight brings the mixture M closer
        # to P
        def enough(weight: float) -> bool:
            to_p, to_q = divergences(weight)
            return to_p <= to_q

        best = _numerics.first_true(enough, 0.0, 1.0)
        return cls(_numerics.up(max(divergences(best))))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether the channel with rows P and Q of a discrete loss has this guarantee."""
        return at_most(MutualInformationDP.tightest(loss).epsilon * (1 - 1e-12), self.epsilon)

    def delta_at(self, epsilon: float) -> float:
        """Return the largest P(S) - e^epsilon Q(S) over events S and allowed pairs (P, Q).

        P and Q are the output distributions for two values of one person's entry. A report of
        whether S occurs has a Bernoulli distribution with parameter P(S) or Q(S). The pair (P, Q)
        is allowed only if the capacity of the channel from the entry to this report is at most the
        claimed bound. This is so exactly if both Bernoulli distributions have a Kullback-Leibler
        divergence of at most this bound from some third one. A search finds the best third
        distribution; at epsilon = 0 its parameter is 1/2.
        """
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        most = total_variation_of_mutual_information(self.epsilon)
        if epsilon == 0 or most in (0.0, 1.0) or self.epsilon < _SMALLEST:
            return most
        return min(most, delta_of_mutual_information(self.epsilon, epsilon))

    def epsilon_at(self, delta: float) -> float:
        """Return the least epsilon whose `delta_at` is at most a delta, or inf if there is none."""
        delta = _check.real("delta", delta, _check.PROBABILITY)
        most = total_variation_of_mutual_information(self.epsilon)
        if delta >= most:
            return 0.0
        if most == 1 or self.epsilon < _SMALLEST:
            return math.inf
        return epsilon_of_mutual_information(self.epsilon, delta)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return _CUFF_YU if epsilon == 0 else _COINS

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if value == math.inf:
            note = _("An event of this probability may reveal which of the two values is true.")
            return Reason(_COINS.theorem, "exact", note=note)
        return _CUFF_YU if value == 0 else _COINS

    def group(self, size: int) -> Self:
        """Return this guarantee if size is 1; raise ValueError for a larger group.

        The definition does not limit the number m of values of an entry, and without a limit there
        is no group privacy. For example, let two people each hold one of m values. If their values
        differ, the output is blank. If they are the same, the output is this value with a fixed
        probability d, and blank otherwise. To an attacker who knows one person's value, the output
        reveals only whether the other person's value is the same: at most log 2 nats, however large
        m is. But if both people hold the same random value, the output reveals d log m nats about
        them, and this grows with m. If the numbers of values and of outputs are finite, convert to
        `ApproxDP` at epsilon = 0, take its guarantee for groups, and convert back.

        Raises
        ------
        ValueError
            If size is more than 1.

        Examples
        --------
        >>> MutualInformationDP(0.1).group(2)
        Traceback (most recent call last):
        ValueError: size must be 1: mutual-information DP says nothing about groups unless \
alphabets are finite (convert to ApproxDP at epsilon=0, take its group and convert back with \
output_size and input_size), got size=2
        """
        size = _check.count("size", size)
        if size > 1:
            raise ValueError(
                "size must be 1: mutual-information DP says nothing about groups unless alphabets "
                "are finite (convert to ApproxDP at epsilon=0, take its group and convert back "
                f"with output_size and input_size), got size={_check.shown(size)}"
            )
        return self


def total_variation_of_mutual_information(epsilon: float) -> float:
    """Return the largest total variation of two rows of a channel of capacity <= epsilon nats.

    The total variation is 1 - 2 h^-1(log 2 - epsilon) for the binary entropy h, and 1 for epsilon
    >= log 2. A binary symmetric channel attains it.
    """
    if epsilon >= math.log(2):
        return 1.0
    return min(1.0, _numerics.up(_bias_of_capacity(epsilon)))


def delta_of_mutual_information(capacity: float, epsilon: float) -> float:
    """Return the delta at an epsilon that a bound on the mutual information (`capacity`) implies.

    Delta is the largest a - e^epsilon b over all channels that satisfy the bound and whose two rows
    are Bernoulli distributions, with the parameters a and b. A channel satisfies the bound if both
    rows have a Kullback-Leibler divergence of at most `capacity` from a third Bernoulli
    distribution. For each parameter y of the third one, let a be the largest and b the smallest
    allowed parameter. Divergences are convex in both parameters, so a is concave and b convex in y.
    The derivative a' - e^epsilon b' in y, times y (1 - y), is

        (a - y)/log odds(a : y) - e^epsilon (y - b)/log odds(y : b),

    where odds(a : y) is the odds ratio of a and y. It changes its sign once, at the best y, which
    a search finds between 1/2 and the largest y with b = 0. For epsilon >= 8 the b of the best y
    is below e^(-1000), so delta hardly depends on epsilon, and the code replaces larger finite
    epsilons by 8.
    """
    # enlarge the bound by more than the rounding errors of a computed divergence
    capacity *= 1 + 4 * _numerics.MARGIN
    least = -math.expm1(-capacity)  # up to this y, even b = 0 has KL(b || y) <= capacity
    escape = _numerics.up(least + _rise(least, capacity))
    if epsilon == math.inf:
        return escape
    y, growth = _best_middle(capacity, epsilon), math.exp(min(epsilon, 8.0))
    rise, (fall, low) = _rise(y, capacity), _fall(y, capacity)
    if low > y / 2:
        value = _numerics.sum_up(rise, growth * fall, -y * math.expm1(min(epsilon, 8.0)))
    else:
        value = _numerics.sum_up(rise, y, -growth * low)
    return min(1.0, max(escape, value))


def _best_middle(capacity: float, epsilon: float) -> float:
    """Return the y at which a - e^epsilon b is largest, where a and b depend on y.

    a is the largest and b the smallest Bernoulli parameter with KL(a || y) <= capacity and
    KL(b || y) <= capacity.
    """
    growth = math.exp(min(epsilon, 8.0))

    def past_best(y: float) -> bool:
        rise, (fall, low) = _rise(y, capacity), _fall(y, capacity)
        if low == 0 or rise == 1 - y:
            return low > 0
        return rise / _log_odds(y + rise, y, rise) <= growth * fall / _log_odds(low, y, -fall)

    return _numerics.first_true(past_best, -math.expm1(-capacity), 0.5)


def coins_of_mutual_information(capacity: float, epsilon: float) -> tuple[float, float]:
    """Return Bernoulli parameters a and b with the largest a - e^epsilon b.

    They are the rows of a binary channel whose capacity is at most `capacity`.
    """
    if capacity >= math.log(2):
        return 1.0, 0.0
    if epsilon == 0:
        bias = _bias_of_capacity(capacity)
        return (1 + bias) / 2, (1 - bias) / 2
    least = -math.expm1(-capacity)
    escape = least + _rise(least, capacity)
    y = _best_middle(capacity, epsilon)
    a, b = y + _rise(y, capacity), _fall(y, capacity)[1]
    if epsilon > 8 or a - math.exp(epsilon) * b < escape:
        return escape, 0.0
    return a, b


def epsilon_of_mutual_information(capacity: float, delta: float) -> float:
    """Return the least epsilon whose `delta_of_mutual_information` is at most delta.

    Epsilon is the maximum over y of log((a - delta)/b), where a and b are the largest and the
    smallest Bernoulli parameter with a Kullback-Leibler divergence of at most `capacity` from the
    parameter y. The ratio has a single peak, because a is concave and b convex in y.
    """
    capacity *= 1 + 4 * _numerics.MARGIN
    least = -math.expm1(-capacity)
    if delta <= _numerics.up(least + _rise(least, capacity)):
        return math.inf

    def past_best(y: float) -> bool:
        rise, (fall, low) = _rise(y, capacity), _fall(y, capacity)
        left = y + rise - delta
        if left <= 0 or low == 0 or rise == 1 - y:
            return left > 0 and low > 0
        up, down = rise / _log_odds(y + rise, y, rise), fall / _log_odds(low, y, -fall)
        return up / left <= down / low

    y = _numerics.first_true(past_best, least, 0.5)
    rise, (fall, low) = _rise(y, capacity), _fall(y, capacity)
    return max(0.0, _numerics.up(math.log1p(_numerics.sum_up(rise, fall, -delta) / low)))


def _logs(x: float, y: float, shift: float) -> tuple[float, float]:
    """Return log(x/y) and log((1-x)/(1-y)) for two probabilities x = y + shift and y."""
    heads = math.log1p(shift / y) if x > y / 2 else math.log(x / y)
    return heads, math.log1p(-shift / (1 - y)) if shift < 1 - y else -math.inf


def _divergence_of_coins(x: float, y: float, shift: float) -> float:
    """Return KL(x || y) of two Bernoulli distributions, as a sum of terms that cannot cancel."""
    heads, tails = _logs(x, y, shift)
    return y * _convex(heads) + (1 - y) * _convex(tails)


def _convex(t: float) -> float:
    """Return u log u - u + 1 at u = e^t, without cancellation for small t."""
    if t == -math.inf:
        return 1.0
    if abs(t) > 0.3:
        return t * math.exp(t) - math.expm1(t)
    total, term = 0.0, t
    for k in range(2, 18):
        term *= t / k
        before, total = total, total + (k - 1) * term
        # stop, because the further terms are even smaller than this one, which changed nothing
        if total == before:
            break
    return total


def _rise(y: float, capacity: float) -> float:
    """Return the largest a - y over Bernoulli parameters a with KL(a || y) <= capacity."""
    if -math.log(y) <= capacity:
        return 1 - y
    return _numerics.first_true(
        lambda shift: _divergence_of_coins(y + shift, y, shift) >= capacity, 0.0, 1 - y
    )


def _fall(y: float, capacity: float) -> tuple[float, float]:
    """Return the largest y - b over Bernoulli parameters b with KL(b || y) <= capacity; and b."""
    if -math.log1p(-y) <= capacity:
        return y, 0.0

    def outside(fall: float) -> bool:
        return fall >= y or _divergence_of_coins(y - fall, y, -fall) >= capacity

    fall = _numerics.first_true(outside, 0.0, y)
    if fall < y / 2:
        return fall, y - fall
    low = _numerics.first_true(
        lambda low: _divergence_of_coins(low, y, low - y) <= capacity, 0.0, y
    )
    return y - low, low


def _log_odds(x: float, y: float, shift: float) -> float:
    """Return the absolute log odds ratio of two probabilities x = y + shift and y."""
    heads, tails = _logs(x, y, shift)
    return abs(heads - tails)
