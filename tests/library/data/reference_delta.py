"""True values of delta at an epsilon, by an integral without the library's grid of losses.

For k steps whose losses L have the moment generating function M(s) = E[e^(s L)],

    delta(epsilon) = 1/(2 pi i) * integral of M(s)^k e^(-s epsilon) / (s (s + 1)) ds

along the line Re s = theta, for any theta > 0. `log_delta` takes the theta that is the saddle point
of the integrand, because the terms then hardly cancel, however small delta is.

The trapezoidal rule with step dt converges faster than any power of dt: its error is the sum of
e^(theta x) delta(epsilon + x) over all multiples x of 2 pi/dt except 0. M is computed by
quadrature, too. The integral ends where |Im s| = tmax. For cases in which |M| decreases slowly, the
integrand is multiplied by a smooth window, which is 1 for |Im s| up to tmax/2 and decreases to 0 at
tmax; if the distribution of the loss is smooth near epsilon, this does not change the result.

All numbers have the 64-bit precision of `longdouble`. `log_delta` computes each result three times
and reports the largest difference. The second and the third computation use a larger tmax and finer
steps, and the third also another theta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.longdouble]
F = np.longdouble
PI = F("3.14159265358979323846264338327950288")
#: a part of a composition: kind, parameter, sampling rate and number of steps
Part = tuple[str, float, float, int]


def mixed(rate: float, loss: Real) -> Real:
    """Return log(1 - q + q e^loss), the loss of a step after sampling with rate q."""
    if rate == 1:
        return loss
    q = F(rate)
    near = np.log1p(q * np.expm1(np.minimum(loss, 1)))
    far = np.log(q) + loss + np.log1p((1 - q) / q * np.exp(-np.maximum(loss, 1)))
    return np.where(loss < 1, near, far)


@dataclass
class Nodes:
    """Quadrature nodes: losses, with the logarithms of their weights under distribution P."""

    loss: Real
    log: Real


def gaussian(
    sigma: float, rate: float, forward: bool, theta: float, t: float, finer: float
) -> Nodes:
    mu = 1 / F(sigma)
    power = F(theta + 1 if forward else theta) * (1 if forward else -1)

    def at(u: Real) -> tuple[Real, Real]:
        m = mixed(rate, mu * u - mu * mu / 2)
        return m, -u * u / 2 + power * m

    reach = 12 + (abs(float(power)) + 1) / sigma
    low, high = F(-reach), F(reach)
    for _ in range(3):
        u = np.linspace(low, high, 2001)
        m, logs = at(u)
        kept = np.flatnonzero(logs > logs.max() - 55)
        low, high = u[max(kept[0] - 1, 0)], u[min(kept[-1] + 1, u.size - 1)]
    slope = float(np.abs(np.diff(m) / np.diff(u)).max())
    # as a function of complex u, the loss of a mixture is analytic at least for |Im u| < 1.5 sigma.
    # The wider this strip, the larger the step `du` may be; the width is capped at 2 here
    strip = min(1.5 * sigma, 2.0)
    du = 2 * math.pi / (60 / strip + 1.5 * (t + 2 * float(abs(power))) * slope) / finer
    n = math.ceil(float(high - low) / du)
    if n > 400_000:
        raise OverflowError
    u = np.linspace(low, high, n)
    m, logs = at(u)
    log = -u * u / 2 - np.log(2 * PI) / 2 + np.log(u[1] - u[0])
    return Nodes(m, log + m) if forward else Nodes(-m, log)


def with_panels(f: Any, low: Real, high: Real, panels: int) -> tuple[Real, Real]:
    """Return the nodes of 24-point Gauss-Legendre rules, and the logarithms of their weights.

    The interval is divided into `panels` equal parts, each with a rule of its own. Each weight
    includes the density at the node; `f` is the logarithm of the density.
    """
    x, w = np.polynomial.legendre.leggauss(24)
    x, w = polished(x)
    edges = np.linspace(low, high, panels + 1)
    half = np.diff(edges) / 2
    nodes = (edges[:-1] + half)[:, None] + half[:, None] * x
    return nodes.ravel(), (np.log(half[:, None] * w) + f(nodes)).ravel()


def polished(x: Any) -> tuple[Real, Real]:
    """Return Gauss-Legendre nodes and their weights, refined to 64 bits by Newton's method."""
    n = len(x)
    x = x.astype(F)
    for _ in range(3):
        p0, p1 = np.ones_like(x), x.copy()
        for k in range(2, n + 1):
            p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
        slope = n * (x * p1 - p0) / (x * x - 1)
        x = x - p1 / slope
    return x, 2 / ((1 - x * x) * slope * slope)


def laplace(
    scale: float, rate: float, forward: bool, theta: float, t: float, finer: float
) -> Nodes:
    a = 1 / F(scale)
    panels = math.ceil((1 + float(a) * (1 + theta + t) / 6) * finer)
    if panels > 20_000:
        raise OverflowError
    loss, log = with_panels(lambda loss: -(loss + a) / 2 - np.log(F(4)), -a, a, panels)
    loss = np.concatenate((loss, [a, -a]))
    log = np.concatenate((log, [-a - np.log(F(2)), -np.log(F(2))]))
    m = mixed(rate, loss)
    return Nodes(m, log + m) if forward else Nodes(-m, log)


def response(epsilon: float, rate: float, forward: bool, *_: float) -> Nodes:
    e = F(epsilon)
    loss = np.array([e, -e])
    log = np.array([-np.log1p(np.exp(e)), -np.log1p(np.exp(-e))])
    m = mixed(rate, loss)
    return Nodes(m, log + m) if forward else Nodes(-m, log)


KINDS = {"gaussian": gaussian, "laplace": laplace, "response": response}


def exact(part: Part) -> bool:
    return part[0] == "gaussian" and part[2] == 1


class Sum:
    """The logarithm of the moment generating function M of a sum of privacy losses."""

    def __init__(self, parts: Sequence[Part], forward: bool) -> None:
        self.parts, self.forward = parts, forward

    def cumulants(self, theta: float) -> tuple[float, float, float]:
        """Return log M(theta) and its first two derivatives.

        M is the moment generating function of the sum of losses.
        """
        total = np.zeros(3, dtype=F)
        for part in self.parts:
            kind, value, rate, k = part
            if exact(part):
                mu2, th = 1 / F(value) ** 2, F(theta)
                total += k * np.array([mu2 * th * (th + 1) / 2, mu2 * (th + F(0.5)), mu2])
                continue
            nodes = KINDS[kind](value, rate, self.forward, theta, 0.0, 1.0)
            logs = nodes.log + theta * nodes.loss
            top = logs.max()
            w = np.exp(logs - top)
            whole = w.sum()
            mean = (w * nodes.loss).sum() / whole
            square = (w * (nodes.loss - mean) ** 2).sum() / whole
            total += k * np.array([top + np.log(whole), mean, square])
        return float(total[0]), float(total[1]), float(total[2])

    def log_moments(self, theta: float, dt: float, n: int, finer: float) -> tuple[Any, Any]:
        """Return log M(theta), and log(M(theta + i m dt) / M(theta)) for m = 0, ..., n - 1.

        M is the moment generating function of the sum of losses. A larger `finer`
        makes the quadrature for M finer.
        """
        total, first = np.zeros(n, dtype=np.clongdouble), F(0)
        m = np.arange(n, dtype=F)
        step = F(dt)
        for part in self.parts:
            name, value, rate, k = part
            if exact(part):
                mu2, th, t = 1 / F(value) ** 2, F(theta), step * m
                first += k * mu2 * th * (th + 1) / 2
                total += k * mu2 * (-t * t / 2 + 1j * t * (th + F(0.5)))
                continue
            nodes = KINDS[name](value, rate, self.forward, theta, n * dt, finer)
            logs = nodes.log + F(theta) * nodes.loss
            top = logs.max()
            w = np.exp(logs - top)
            # subtract the tilted mean from the losses, which keeps the phases of the complex
            # exponentials small; double precision is then accurate enough for up to 10,000 steps
            kind = np.clongdouble if k > 10_000 else np.complex128
            whole = w.sum()
            centre = (w * nodes.loss).sum() / whole
            loss = nodes.loss - centre
            b = math.isqrt(n - 1) + 1
            if loss.size * b > 20_000_000:
                raise OverflowError
            small = np.exp(1j * step * np.outer(loss, m[:b])) * (w / whole)[:, None]
            small = small.astype(kind)
            a = -(-n // b)
            values = np.empty((a, b), dtype=np.clongdouble)
            for begin in range(0, a, 64):
                rows = np.arange(begin, min(begin + 64, a), dtype=F) * b
                large = np.exp(1j * step * np.outer(rows, loss)).astype(kind)
                values[begin : begin + 64] = large @ small
            flat = values.ravel()[:n]
            flat[flat == 0] = 1e-4000 if np.finfo(F).tiny < 1e-4000 else 1e-300
            first += k * (top + np.log(whole))
            total += k * (np.log(flat) + 1j * step * m * centre)
        return first, total


def window(x: Real) -> Real:
    """Return a smooth function of x that is 1 up to x = 1/2 and 0 from x = 1 on."""
    y = np.clip(2 * x - 1, F(1e-9), F(1) - F(1e-9))
    return 1 / (1 + np.exp(np.clip(1 / (1 - y) - 1 / y, -700, 700)))


def evaluate(
    sums: Sum, epsilon: float, theta: float, period: float, tmax: float, finer: float
) -> float:
    """Return log delta by the trapezoidal rule along the line Re s = theta, or -inf if it fails.

    The integral is the one at the top of this file. The step is 2 pi / `period`, the line ends at
    the imaginary part `tmax`, and a larger `finer` makes the quadrature for M finer. The rule fails
    if rounding makes its sum negative or 0.
    """
    dt = 2 * math.pi / period
    n = math.ceil(tmax / dt) + 1
    if n > 300_000:
        raise OverflowError
    first, quotient = sums.log_moments(theta, dt, n, finer)
    t = F(dt) * np.arange(n, dtype=F)
    s = F(theta) + 1j * t
    terms = np.exp(quotient - 1j * t * F(epsilon)) / (s * (s + 1)) * window(t / t[-1])
    value = (terms.real.sum() - terms.real[0] / 2) * F(dt) / PI
    if not value > 0:
        return -math.inf
    return float(np.log(value) + first - F(theta) * F(epsilon))


def saddle(sums: Sum, epsilon: float) -> float:
    """Return the saddle point of the integrand, the theta > 0 at which the integrand is smallest.

    It solves m(theta) - 1/theta - 1/(theta + 1) = epsilon, where m(theta) is the mean of the loss
    after its distribution is weighted by e^(theta loss).
    """
    _, mean, var = sums.cumulants(0.0)
    middle = -math.log(var + mean * mean) / 2
    low, high = middle - 8, middle + 10
    for _ in range(60):
        mid = (low + high) / 2
        theta = math.exp(mid)
        try:
            mean = sums.cumulants(theta)[1]
        except OverflowError:
            mean = math.inf
        if mean - 1 / theta - 1 / (theta + 1) > epsilon:
            high = mid
        else:
            low = mid
        if high - low < 1e-3:
            break
    return math.exp((low + high) / 2)


def log_delta(
    parts: Sequence[Part], forward: bool, epsilon: float, goal: float = 1e-11
) -> tuple[float, float]:
    """Return log delta, and the largest difference between several computations of it."""
    sums = Sum(parts, forward)
    theta = saddle(sums, epsilon)
    _, mean, var = sums.cumulants(theta)
    std = math.sqrt(var)
    period = max(45 * std, 50 / theta) + abs(epsilon - mean)
    tmax, before, found = 10 / std, math.inf, []
    for _ in range(16):
        value = evaluate(sums, epsilon, theta, period, tmax, 1.0)
        if abs(value - before) < goal:
            break
        before, tmax = value, 2 * tmax
    else:
        raise OverflowError
    found = [value, evaluate(sums, epsilon, theta, period * 1.31, 1.7 * tmax, 1.23)]
    found.append(
        evaluate(sums, epsilon, theta + min(theta, 3 / std) / 6, period * 1.13, 1.4 * tmax, 1.41)
    )
    return found[0], max(found) - min(found)
