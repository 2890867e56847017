"""A lower end from the law above, where single losses lie between the points of a lattice.

To move such losses to lattice points from below costs a part of the step each time: with k steps
it adds up to about k h. The law above moves each loss l to l + N, N one of two numbers h apart
with E[e^-N | l] = 1, so that errors of different steps mostly cancel: what they add up to is as
narrow as a normal law of standard deviation s = h sqrt(k)/2 (Hoeffding). The expected rise of
f(x) = (1 - e^(epsilon - x))+ by N is at most

    B(d) = e^(s^2/2) ((s^2 - d)+ + s sqrt(2 pi) Q(max(d - s^2, 0)/s)),   d = |S - epsilon|,

for the sum S, with Q the normal law's upper tail. And the law above tells how likely sums near
epsilon are: from its curve at epsilon and at epsilon +- w follows the mean of the tent
T = f at epsilon - w, less (1 + e^-w) times that at epsilon, plus e^-w times that at epsilon + w,
which is 0 beyond a distance w and at least e^-w (w - d) before. Multiples of some tents that
exceed B together are taken off: delta is lowered by about 3 k h^2 times a density.
"""

from __future__ import annotations

import math

from dpteach.accounting.lattice.total import Total

#: the narrower tents: widths in s, heights in s
_TENTS = ((3.0, 0.68), (6.0, 0.024))
#: from here on, in s, the widest one alone exceeds B
_FAR = 4.9
#: the height of B there, in s
_HEIGHT = 1.5e-6
#: larger s would make the constants above wrong
_LARGEST = 0.02


def spread(h: float, steps: int) -> float:
    """Return the standard deviation s that bounds what splits of losses add up to."""
    return h * math.sqrt(steps) / 2


def tents(s: float, log_delta: float) -> list[tuple[float, float]]:
    """Widths w and factors c such that the sum of c T exceeds B up to a part e^-30 of delta.

    Shifted by N, a tent is still at least e^-w (w - d - E|N|), and E|N| is at most 1.001 s.
    """
    reach = s * (math.sqrt(2 * (30 - log_delta)) + s)
    found = [(w * s, c * math.exp(w * s)) for w, c in _TENTS]
    width = max(reach, 7 * s) + 1.2 * s
    found.append((width, _HEIGHT / 0.19 * math.exp(width)))
    return found


def log_delta_below(above: Total, epsilon: float, s: float) -> float:
    """Return a lower bound of log E[(1 - e^(epsilon - S))+]; -inf where nothing is known."""
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
    """Return an epsilon >= 0 at which delta is certainly larger, near the largest that is known."""
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
