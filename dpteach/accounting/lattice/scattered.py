"""Lower bounds on delta and epsilon, from the lattice distribution that gives the upper bounds.

The lower bound on delta is the delta of this "upper" distribution, minus a bound on how much larger
it is than the true delta. The losses of the steps may lie between the points of the lattice. The
upper distribution moves each loss l to one of the two neighboring lattice points l + N, at random
with E[e^-N | l] = 1, which preserves the total masses of P and Q. The shifts N of k steps mostly
cancel: by Hoeffding, their sum is as concentrated as a normal distribution with standard deviation
s = h sqrt(k)/2, where h is the spacing of the lattice. The shifts increase delta, the expectation
of f(S) = (1 - e^(epsilon - S))+ for the sum S of the losses, by at most the expectation of

    B(d) = e^(s^2/2) ((s^2 - d)+ + s sqrt(2 pi) Phi(-max(d - s^2, 0)/s)),   d = |S - epsilon|,

where Phi is the standard normal distribution function.

To bound the expectation of B, bound B by functions of S whose expectations are known. Write f_a for
f with a in place of epsilon. The deltas at epsilon and at epsilon +- w give the expectation of the
tent function

    T = f_(epsilon - w) - (1 + e^-w) f_epsilon + e^-w f_(epsilon + w),

which is 0 at distances d >= w from epsilon, and at least e^-w (w - d) at smaller distances. A sum
of multiples of such functions T exceeds B, and its expectation is subtracted from delta. This
lowers delta by about 3 k h^2 times the density of S at epsilon.
"""

from __future__ import annotations

import math

from dpteach.accounting.lattice.total import Total

#: two of the three tent functions T of the docstring above, as pairs (a, b): T has the width
#: w = a s and is multiplied by c = b e^w. Together these two exceed B(d) for d up to 4.9 s.
_TENTS = ((3.0, 0.68), (6.0, 0.024))
#: an upper bound on B(d)/s for d >= 4.9 s. The third and widest tent function is multiplied by a
#: number proportional to this bound, so that it exceeds B(d) for these d, except where B(d) is so
#: small that it hardly changes delta.
_HEIGHT = 1.5e-6
#: the largest s for which the constants above are valid
_LARGEST = 0.02


def spread(h: float, steps: int) -> float:
    """Return the s for which the total shift of `steps` losses is as concentrated as N(0, s^2).

    Each loss is moved to a point of a lattice of spacing h.
    """
    return h * math.sqrt(steps) / 2


def tents(s: float, log_delta: float) -> list[tuple[float, float]]:
    """Return three pairs (w, c) for which the sum of c T exceeds B, except far from epsilon.

    The docstring of the module defines the bound B, the tent function T of width w, and the
    distance d from epsilon. Where B is larger than the sum of c T, far from epsilon, B contributes
    at most e^-30 delta. The known deltas are those after the losses were shifted, by N in total.
    The expectation of T is then at least e^-w (w - d - E|N|), where E|N| is at most 1.001 s, and
    the widths allow for this.
    """
    reach = s * (math.sqrt(2 * (30 - log_delta)) + s)
    found = [(w * s, c * math.exp(w * s)) for w, c in _TENTS]
    width = max(reach, 7 * s) + 1.2 * s
    found.append((width, _HEIGHT / 0.19 * math.exp(width)))
    return found


def log_delta_below(above: Total, epsilon: float, s: float) -> float:
    """Return a lower bound on log delta, from `above`, the sum of losses moved to lattice points.

    `spread` gives s. The result is -inf if no bound is found.
    """
    middle = above.log_delta(epsilon, sign=-1)[0]
    if s > _LARGEST or middle == -math.inf:
        return -math.inf
    share = 1.0
    for w, c in tents(s, middle):
        ends = (
            above.log_delta(epsilon - w, sign=1)[0],
            above.log_delta(epsilon + w, sign=1)[0] - w,
        )
        tent = math.fsum(math.exp(min(end - middle, 700.0)) for end in ends) - 1 - math.exp(-w)
        share -= c * max(tent, 0.0)
    share -= math.exp(-29)
    return middle + math.log(share) if share > 0 else -math.inf


def epsilon_below(above: Total, log_delta: float, s: float, start: float) -> float:
    """Return a lower bound on epsilon at a delta, close to the largest one that can be proved."""
    x, step = max(start, 0.0), 0.0
    best, worst = 0.0, math.inf
    for _ in range(30 if s <= _LARGEST else 0):
        value = log_delta_below(above, x, s)
        if value > log_delta:
            best = x
        else:
            worst = x
        slope = above.log_delta(x, sign=0)[1]
        gap = value - log_delta if value > -math.inf else -1.0
        step = gap / -slope if slope < 0 else math.copysign(above.h, gap)
        new = x + step - 1e-3 * abs(step)
        if abs(new - x) <= 1e-3 * s + 1e-12 * x and best > 0:
            break
        if not best < new < worst:
            new = (best + worst) / 2 if worst < math.inf else 2 * x + s
        if new <= 0:
            break
        x = new
    return max(best - above.shift, 0.0)
