"""Generator of random accounting jobs with true deltas, which writes `accounting_jobs.json`.

    python tests/library/data/make_accounting_jobs.py [seed [jobs of each family]]

The script takes about an hour on one core. A job asks for the delta of a composition at an epsilon.
It lists the parts of the composition; a part is [kind, parameter, sampling rate, number of steps].
A family is a set of jobs with similar parts, such as only Gaussian noise. `log_delta` holds the
logarithms of the true delta for the directions (P, Q) and (Q, P): null for an unknown delta, and
"none" for a delta of 0. `error` is a bound on the errors of both logarithms. A job is left out if
no method computes its delta with a relative error below 1e-9.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import reference_delta as contour
from reference_delta import F, Nodes, Part, Sum

mp.mp.dps = 60
Atoms = list[tuple[Any, Any]]


def pair(value: Any, rate: float, forward: bool, *_: float) -> Nodes:
    atoms, _ = finite_atoms(("pair", value, rate, 1), forward)
    losses, masses = zip(*atoms, strict=True)
    return Nodes(
        np.array([F(mp.nstr(x, 25)) for x in losses]),
        np.array([F(mp.nstr(mp.log(x), 25)) for x in masses]),
    )


contour.KINDS["pair"] = pair


def finite_atoms(part: Part, forward: bool) -> tuple[Atoms, Any]:
    """Return a step's finite losses, their probabilities, and the probability of an infinite loss.

    The losses are those of (P, Q), or those of (Q, P) if `forward` is False, where P and Q are the
    step's output distributions on two neighbors.
    """
    kind, value, rate, _ = part
    if kind == "response":
        e = mp.e ** mp.mpf(value)
        p, q = [e / (1 + e), 1 / (1 + e)], [1 / (1 + e), e / (1 + e)]
    else:
        p, q = ([mp.mpf(x) for x in row] for row in value)
    r = mp.mpf(rate)
    p = [(1 - r) * b + r * a for a, b in zip(p, q, strict=True)]
    if not forward:
        p, q = q, p
    infinite = mp.fsum(a for a, b in zip(p, q, strict=True) if b == 0)
    return [(mp.log(a / b), a) for a, b in zip(p, q, strict=True) if a > 0 and b > 0], infinite


def power(atoms: Atoms, k: int) -> Atoms:
    """Return all sums of k losses from a list, each with its multinomial probability."""
    # for two losses and many steps, one loop suffices, over how often the first loss occurs
    if k > 400 and len(atoms) == 2:
        (a, p), (b, q) = atoms
        return [
            (j * a + (k - j) * b, mp.binomial(k, j) * p**j * q ** (k - j)) for j in range(k + 1)
        ]
    found: Atoms = []

    def add(rest: int, i: int, loss: Any, mass: Any) -> None:
        if i == len(atoms) - 1:
            found.append((loss + rest * atoms[i][0], mass * atoms[i][1] ** rest))
            return
        for j in range(rest + 1):
            share = mp.binomial(rest, j) * atoms[i][1] ** j
            add(rest - j, i + 1, loss + j * atoms[i][0], mass * share)

    add(k, 0, mp.mpf(0), mp.mpf(1))
    return found


def of_gaussian(mu: Any, epsilon: Any) -> Any:
    half = mu / 2
    return mp.ncdf(half - epsilon / mu) - mp.e**epsilon * mp.ncdf(-half - epsilon / mu)


def of_atoms(parts: Sequence[Part], forward: bool, epsilon: float) -> Any:
    """Return the delta of a composition of discrete and Gaussian parts, by a sum over losses."""
    eps, kept = mp.mpf(epsilon), mp.mpf(1)
    mu = mp.sqrt(mp.fsum(k / mp.mpf(s) ** 2 for kind, s, _, k in parts if kind == "gaussian"))
    sums: list[Atoms] = []
    for part in parts:
        if part[0] != "gaussian":
            atoms, infinite = finite_atoms(part, forward)
            kept *= (1 - infinite) ** part[3]
            sums.append(power(atoms, part[3]))
    if math.prod(map(len, sums)) > 200_000:
        raise OverflowError
    total = 1 - kept
    for choice in itertools.product(*sums):
        loss, mass = mp.fsum(x for x, _ in choice), mp.fprod(m for _, m in choice)
        if mu:
            total += mass * of_gaussian(mu, eps - loss)
        elif loss > eps:
            total += mass * -mp.expm1(eps - loss)
    return total


def of_laplace(parts: Sequence[Part], epsilon: float) -> Any:
    """Return delta of a composition of Laplace mechanisms of any scales, as a sum of residues.

    Delta is the contour integral of M(s) e^(-s epsilon) / (s (s + 1)) in `reference_delta.py`,
    where M is the moment generating function of the total loss. If the true answers of a step are
    `a` scales apart, the step contributes to M the factor e^(-a/2)/2 (e^(za) (1 + 1/(2z)) + e^(-za)
    (1 - 1/(2z))) with z = s + 1/2. So the residues are at s = 0, -1/2 and -1.
    """
    steps = sum(part[3] for part in parts)
    mp.mp.dps = 60 + 3 * steps
    try:
        half, eps, total = mp.mpf(1) / 2, mp.mpf(epsilon), mp.mpf(0)
        shifts = [1 / mp.mpf(part[1]) for part in parts]
        for choice in itertools.product(*(range(part[3] + 1) for part in parts)):
            down = sum(choice)
            ways = mp.fprod(mp.binomial(p[3], j) for p, j in zip(parts, choice, strict=True))
            y = mp.fsum(a * (p[3] - 2 * j) for a, p, j in zip(shifts, parts, choice, strict=True))
            y -= eps
            if y <= 0:
                continue
            up = steps - down
            # M is the product of the steps' factors. Expand it: in the term of `choice`, `down` of
            # the factors contribute e^(-za) (1 - 1/(2z)), and `up` the other summand. The integrand
            # of this term is a constant times e^(zy) (z + 1/2)^(up - 1) (z - 1/2)^(down - 1) /
            # z^steps, and `value` is the sum of its residues
            value = mp.mpf(0)
            if down == 0:
                value += mp.e ** (y / 2) * 2**steps
            if up == 0:
                value += -(mp.e ** (-y / 2)) * 2**steps
            plus = series(half, up - 1, steps)
            minus = series(-half, down - 1, steps)
            for i in range(steps):
                c = mp.fsum(plus[a] * minus[i - a] for a in range(i + 1))
                value += c * y ** (steps - 1 - i) / mp.factorial(steps - 1 - i)
            total += ways * value
        scale = mp.fsum(a * p[3] for a, p in zip(shifts, parts, strict=True))
        return total * mp.e ** ((eps - scale) / 2) / mp.mpf(2) ** steps
    finally:
        mp.mp.dps = 60


def series(c: Any, n: int, length: int) -> list[Any]:
    """Return the coefficients of the power series of (z + c)^n in z, for n >= -1."""
    if n >= 0:
        return [mp.binomial(n, i) * c ** (n - i) if i <= n else mp.mpf(0) for i in range(length)]
    return [(-1) ** i / c ** (i + 1) for i in range(length)]


def of_one(part: Part, forward: bool, epsilon: float) -> Any:
    """Return the delta of one step of sampled noise, by a closed formula.

    Delta is P(A) - e^epsilon Q(A), where A is the event that the loss is above epsilon. The loss is
    monotone in the output, so A is a half-line, whose probabilities are known.
    """
    kind, value, rate, _ = part
    q, eps = mp.mpf(rate), mp.mpf(epsilon)
    x = (mp.e ** (eps if forward else -eps) - 1 + q) / q
    if x <= 0:  # the loss is above epsilon for all outputs (if `forward`) or for none (otherwise)
        return 1 - mp.e**eps if forward else mp.mpf(0)
    loss = mp.log(x)
    if kind == "gaussian":
        mu = 1 / mp.mpf(value)
        u = loss / mu + mu / 2
        # the probabilities, without sampling, that the loss is above or below `loss`; each is a
        # pair: for the dataset with the person, and for the one without
        above = mp.ncdf(mu - u), mp.ncdf(-u)
        below = mp.ncdf(u - mu), mp.ncdf(u)
    else:
        a = 1 / mp.mpf(value)
        if forward and loss >= a:
            return mp.mpf(0)
        if not forward and loss > a:
            return 1 - mp.e**eps
        if loss < -a:
            return mp.mpf(0) if not forward else 1 - mp.e**eps
        # without sampling, the loss of Laplace noise around a against Laplace noise around 0 is at
        # least `loss` for outputs y >= (loss + a)/2
        y = (loss + a) / 2
        above = 1 - mp.e ** (y - a) / 2, mp.e**-y / 2
        below = 1 - above[0], 1 - above[1]
    if forward:
        return (1 - q - mp.e**eps) * above[1] + q * above[0]
    return below[1] - mp.e**eps * ((1 - q) * below[1] + q * below[0])


def largest(parts: Sequence[Part], forward: bool) -> float:
    """Return the largest possible sum of the losses of all parts."""
    total = 0.0
    for kind, value, rate, k in parts:
        if kind == "gaussian":
            if forward or rate == 1:
                return math.inf
            total += -k * math.log1p(-rate)
        elif kind == "pair":
            atoms, infinite = finite_atoms((kind, value, rate, 1), forward)
            if infinite:
                return math.inf
            total += k * float(max(x for x, _ in atoms))
        else:
            e = float(value) if kind == "response" else 1 / float(value)
            up = math.log1p(rate * math.expm1(e))
            total += k * (up if forward else -math.log1p(rate * math.expm1(-e)))
    return total


def truth(family: str, parts: Sequence[Part], forward: bool, epsilon: float) -> tuple[Any, float]:
    """Return the logarithm of the true delta of the composed parts, and a bound on its error.

    The logarithm is None if delta is unknown, and -inf if delta is 0.
    """
    if epsilon >= largest(parts, forward) * (1 + 1e-12):
        return -math.inf, 0.0
    if family == "contour":
        try:
            value, error = contour.log_delta(parts, forward, epsilon)
        except (OverflowError, ArithmeticError, IndexError):
            return None, 0.0
        return (value, 3 * error + 1e-13) if error < 3e-10 else (None, 0.0)
    if family == "atoms":
        exact = of_atoms(parts, forward, epsilon)
    elif family == "laplace":
        exact = of_laplace(parts, epsilon)
    else:
        exact = of_one(parts[0], forward, epsilon)
    return (float(mp.log(exact)), 1e-14) if exact > 0 else (-math.inf, 0.0)


def epsilon_near(parts: Sequence[Part], log_delta: float) -> float:
    """Return an epsilon at which the composed parts have a log delta of roughly `log_delta`.

    Delta is computed by a saddle-point approximation.
    """
    sums = Sum(parts, True)
    _, mean, var = sums.cumulants(0.0)
    middle = -math.log(var + mean * mean) / 2
    low, high, epsilon = middle - 8, middle + 12, math.nan
    for _ in range(40):
        theta = math.exp((low + high) / 2)
        try:
            log, mean, var = sums.cumulants(theta)
        except OverflowError:
            high = (low + high) / 2
            continue
        here = mean - 1 / theta - 1 / (theta + 1)
        curvature = var + theta**-2 + (theta + 1) ** -2
        value = (
            log - theta * here - math.log(theta * (theta + 1) * math.sqrt(2 * math.pi * curvature))
        )
        if value > log_delta:
            low = (low + high) / 2
        else:
            high = (low + high) / 2
        epsilon = here
    return max(float(f"{epsilon:.6e}"), 0.0)


def log_uniform(rng: random.Random, low: float, high: float) -> float:
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.4g}")


def random_delta(rng: random.Random) -> float:
    """Return the base-10 logarithm of a random delta.

    The epsilon of a composition is then chosen such that its delta is about this large.
    """
    return rng.choice([rng.uniform(-12, -0.3), rng.uniform(-40, -1), rng.uniform(-300, -30)])


def random_pair(rng: random.Random, infinite: bool) -> Any:
    """Return two distributions on a few outcomes, with masses that are multiples of 2^-20.

    If `infinite` is True, some outcomes may have probability 0 under one of them.
    """
    n, unit = rng.randint(2, 4), 1 << 20

    def law() -> list[int]:
        cuts = sorted(rng.sample(range(1, unit), n - 1))
        return [b - a for a, b in itertools.pairwise([0, *cuts, unit])]

    p, q = law(), law()
    if infinite:
        few = rng.randint(1, 100)
        p[0] -= few if p[0] > few else 0
        extra = few if sum(p) < unit else 0
        p, q = [*p, extra, 0], [*q, 0, 0]
        lost = min(q[1] - 1, rng.randint(0, 50))
        q[1] -= lost
        q[-1] += lost
    rows = [(a / unit, b / unit) for a, b in zip(p, q, strict=True) if a + b > 0]
    return [[a for a, _ in rows], [b for _, b in rows]]


def random_part(rng: random.Random, kind: str, most: float, sampled: bool) -> Part:
    rate = log_uniform(rng, 1e-5, 0.95) if sampled else 1.0
    k = int(log_uniform(rng, 1, most))
    if kind == "gaussian":
        return kind, log_uniform(rng, 0.3, rng.choice([3, 30, 1e4])), rate, k
    if kind == "laplace":
        return kind, log_uniform(rng, 0.3, 100), rate, k
    if kind == "response":
        return kind, log_uniform(rng, 0.01, 5), rate, k
    return kind, random_pair(rng, not sampled and rng.random() < 0.3), rate, min(k, 12)


def families(rng: random.Random) -> Iterator[tuple[str, str, list[Part]]]:
    """Yield random accounting jobs without end, as (family, method for the true delta, parts).

    The parts of a job are the mechanisms that it composes.
    """
    while True:
        yield (
            "gaussians",
            "atoms",
            [random_part(rng, "gaussian", 1e6, False) for _ in range(rng.choice([1, 1, 2, 5]))],
        )
        kind = rng.choice(["gaussian", "gaussian", "laplace"])
        yield "one step", "one", [(*random_part(rng, kind, 1, True)[:3], 1)]
        sampled = rng.random() < 0.4
        yield "responses", "atoms", [random_part(rng, "response", 4000, sampled)]
        yield (
            "responses mixed",
            "atoms",
            [
                random_part(rng, "response", 60, rng.random() < 0.3)
                for _ in range(rng.choice([2, 3]))
            ],
        )
        yield "pairs", "atoms", [random_part(rng, "pair", 12, rng.random() < 0.5)]
        parts = [random_part(rng, "pair", 8, False), random_part(rng, "gaussian", 1e3, False)]
        yield "pairs and gaussian", "atoms", parts
        parts = [random_part(rng, "laplace", 60, False)]
        yield "laplace", "laplace", parts
        parts = [random_part(rng, "laplace", 12, False) for _ in range(2)]
        yield "laplace mixed", "laplace", parts
        for _ in range(5):
            yield "sampled gaussian", "contour", [random_part(rng, "gaussian", 1e6, True)]
        yield (
            "sampled gaussian mixed",
            "contour",
            [random_part(rng, "gaussian", 1e5, True) for _ in range(rng.choice([2, 3, 5]))],
        )
        yield "sampled laplace", "contour", [random_part(rng, "laplace", 1e5, True)]
        kinds = ["gaussian", "laplace", "response", "pair"]
        yield (
            "mixed",
            "contour",
            [
                random_part(rng, "gaussian", 1e4, rng.random() < 0.5),
                *(
                    random_part(rng, rng.choice(kinds), 1e3, rng.random() < 0.5)
                    for _ in range(rng.choice([1, 2, 3]))
                ),
            ],
        )


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 45
    where = Path(
        sys.argv[3] if len(sys.argv) > 3 else Path(__file__).with_name("accounting_jobs.json")
    )
    rng = random.Random(seed)
    jobs: list[dict[str, Any]] = []

    def too_long(*_: Any) -> None:
        raise OverflowError

    signal.signal(signal.SIGALRM, too_long)
    for name, method, parts in itertools.islice(families(rng), rounds * 16):
        state = random_delta(rng)
        if any(p[0] == "pair" and 0 in [*p[1][0], *p[1][1]] for p in parts) and method == "contour":
            continue
        signal.alarm(8)
        try:
            epsilon = epsilon_near(parts, state * math.log(10))
            if not math.isfinite(epsilon) or (epsilon == 0 and rng.random() < 0.7):
                continue
            found = [truth(method, parts, forward, epsilon) for forward in (True, False)]
        except (OverflowError, ZeroDivisionError, ValueError, IndexError):
            continue
        finally:
            signal.alarm(0)
        if found[0][0] is None or not math.isfinite(found[0][0]) or not -692 < found[0][0] < -0.7:
            continue
        jobs.append(
            {
                "family": name,
                "parts": parts,
                "epsilon": epsilon,
                "log_delta": [x if x is None or x > -math.inf else "none" for x, _ in found],
                "error": max(e for _, e in found),
            }
        )
        print(len(jobs), name, parts, epsilon, found, flush=True)
        lines = ",\n".join(json.dumps(job) for job in jobs)
        where.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
