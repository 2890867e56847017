"""The correct answers to the benchmark's jobs (the computations that `jobs.py` lists).

They are computed with 40 digits from definitions, or are constants with a note on their source.
"""

from __future__ import annotations

import math
from functools import cache

import mpmath
from jobs import KS
from mpmath import mpf

#: epsilon of DP-SGD by delta, to eleven digits, for the jobs b.pld, b.pld.1e-10 and so on. Each
#: solves the equation delta(epsilon) = delta by the secant method, where delta(epsilon) is the
#: contour integral in `tests/library/data/reference_delta.py`. For comparison: at delta = 1e-5, the
#: upper bound of dp-accounting 0.6.0 on a grid of 1e-5 is 6.187713, and that of prv-accountant is
#: 6.187712
DP_SGD = {
    1e-5: 6.18771238997,
    1e-10: 9.31613852588,
    1e-15: 11.7599785022,
    1e-30: 17.6350610529,
}
#: epsilon of the job e.pld, computed as in `DP_SGD`; dp-accounting on a grid of 5e-5 gives
#: 3.0968230
HETEROGENEOUS = 3.09682279559
#: sigma of the job b.pld_calib, computed as in `DP_SGD`; dp-accounting's search (tolerance 1e-4,
#: grid 1e-4) gives 2.127437
SIGMA_BY_LOSS = 2.12737543471


def gaussian_log_delta(mu: mpf, epsilon: mpf) -> mpf:
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return mpmath.log(mpmath.ncdf(-a) - mpmath.exp(epsilon) * mpmath.ncdf(-b))


@cache
def gaussian_curve(delta: float) -> list[float]:
    """Return the exact epsilon of k Gaussian releases with sigma = 100, for each k in `KS`."""
    target, out = mpmath.log(mpf(delta)), []
    for k in KS:
        mu = mpmath.sqrt(k) / 100
        start = mu * (mu / 2 + 3)
        root = mpmath.findroot(
            lambda e, mu=mu: gaussian_log_delta(mu, e) - target, (start, start * 1.1)
        )
        out.append(float(root))
    return out


@cache
def zcdp_curve(delta: float) -> list[float]:
    """Return the epsilon that zCDP gives for k Gaussian releases of sigma = 100, for k in `KS`.

    With rho = k/20000, this epsilon is the minimum over the orders a > 1 of rho a + log(1 - 1/a) -
    (log delta + log a)/(a - 1). The best a is found as a root of the derivative.
    """
    target, out = -mpmath.log(mpf(delta)), []
    for k in KS:
        rho = mpf(k) / 20000
        b = mpmath.findroot(
            lambda b, rho=rho: rho * b * b + mpmath.log1p(b) - target, mpmath.sqrt(target / rho)
        )
        a = 1 + b
        out.append(float(rho * a + mpmath.log(b / a) + (target - mpmath.log(a)) / b))
    return out


@cache
def optimal(epsilon0: float, k: int, delta: float) -> float:
    """Return the exact epsilon of k-fold composition of (epsilon0, 0)-DP mechanisms.

    Theorem 3.3 of Kairouz, Oh and Viswanath states delta only for epsilons on a grid; this function
    also finds an epsilon between the grid points.
    """
    e0, target = mpf(epsilon0), mpf(delta)
    truth, lie = 1 / (1 + mpmath.exp(-e0)), 1 / (1 + mpmath.exp(e0))

    def log(x: int) -> mpf:
        ways = mpmath.loggamma(k + 1) - mpmath.loggamma(x + 1) - mpmath.loggamma(k - x + 1)
        return ways + x * mpmath.log(truth) + (k - x) * mpmath.log(lie)

    # p and q are the probabilities, under the two neighboring inputs, of all losses above the
    # current one; start far in the upper tail, beyond which both are negligible
    x = min(k, int(k * truth + mpmath.sqrt(k * 60)))
    p_mass = mpmath.exp(log(x))
    p = q = mpf(0)
    while True:
        loss = (2 * x - k) * e0
        # if delta at epsilon = loss exceeds the target, the exact epsilon lies between this loss
        # and the next larger one; between the two, delta is p - e^epsilon q
        if p - mpmath.exp(loss) * q > target:
            return float(mpmath.log((p - target) / q))
        p, q = p + p_mass, q + p_mass * mpmath.exp(-loss)
        p_mass *= mpf(x) / (k - x + 1) * lie / truth
        x -= 1


@cache
def epsilon_by_renyi(
    sigma: float, rate: float = 0.01, k: int = 10_000, delta: float = 1e-5
) -> float:
    """Return the epsilon that Rényi DP gives for k subsampled Gaussian steps, at the best order.

    The Rényi divergence is computed by quadrature. The best order, a real number, is found by
    repeatedly fitting a parabola to the epsilons at three orders.
    """
    s, q, target = mpf(sigma), mpf(rate), -mpmath.log(mpf(delta))

    def at(a: mpf) -> mpf:
        def integrand(x: mpf) -> mpf:
            u = 1 - q + q * mpmath.exp((2 * x - 1) / (2 * s * s))
            return mpmath.npdf(x, 0, s) * u**a

        ends = [-14 * s, -5 * s, 0, 5 * s, a / 2, a, a + 5 * s, a + 14 * s]
        with mpmath.workdps(20):
            renyi = mpmath.log(mpmath.quad(integrand, sorted(ends))) / (a - 1)
        return k * renyi + mpmath.log1p(-1 / a) + (target - mpmath.log(a)) / (a - 1)

    a, step = mpf(5), mpf(1)
    # find the order a with the least epsilon: move a to the vertex of the parabola through the
    # values of epsilon at three orders
    for _ in range(9):
        low, mid, high = at(a - step), at(a), at(a + step)
        a += step * (low - high) / (2 * (low - 2 * mid + high))
        step /= 4
    return float(at(a))


@cache
def sigma_by_renyi(epsilon: float) -> float:
    return float(
        mpmath.findroot(lambda s: epsilon_by_renyi(float(s)) - epsilon, (2.27, 2.28), tol=1e-10)
    )


def references() -> dict[str, float | list[float]]:
    """Return the true answers by job name; answers to jobs without an entry are not checked."""
    with mpmath.workdps(40):
        return {
            "f.analytic": gaussian_curve(1e-6),
            "f.pld": gaussian_curve(1e-6),
            "f.zcdp": zcdp_curve(1e-6),
            "b.rdp": epsilon_by_renyi(1.0),
            "b.pld": DP_SGD[1e-5],
            "b.pld.1e-10": DP_SGD[1e-10],
            "b.pld.1e-15": DP_SGD[1e-15],
            "b.pld.1e-30": DP_SGD[1e-30],
            "b.pld_calib": SIGMA_BY_LOSS,
            "b.rdp_calib": sigma_by_renyi(2.0),
            "e.pld": HETEROGENEOUS,
            "f.kov_optimal": optimal(0.05, 100_000, 1e-6),
        }


if __name__ == "__main__":
    for name, value in references().items():
        ends = value if isinstance(value, float) else (value[0], value[-1])
        print(name, ends, math.nan if isinstance(value, float) else len(value))
