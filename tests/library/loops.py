"""Samplers of exact noise by Canonne, Kamath and Steinke (2020), one draw at a time.

`dpteach._exact` samples the same distributions faster, from tables; tests compare its samples with
those of this module.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def uniform_below(n: int, rng: np.random.Generator) -> int:
    """Return a uniformly random integer from 0, ..., n-1, for any n >= 1.

    >>> uniform_below(10**30, np.random.default_rng(0))
    807444865255427370436128636448
    """
    count = (n - 1).bit_length()
    while True:
        x, have = 0, 0
        while have < count:
            width = min(62, count - have)
            x, have = x << width | int(rng.integers(1 << width)), have + width
        if x < n:
            return x


def bernoulli(p: Fraction, rng: np.random.Generator) -> bool:
    """Return True with probability p, for a fraction p in [0, 1].

    >>> bernoulli(Fraction(1), np.random.default_rng(0))
    True
    """
    return uniform_below(p.denominator, rng) < p.numerator


def bernoulli_exp(exponent: Fraction, rng: np.random.Generator) -> bool:
    """Return True with probability e^(-exponent), for an exponent >= 0.

    This is algorithm 1 of Canonne, Kamath and Steinke (2020).

    >>> bernoulli_exp(Fraction(0), np.random.default_rng(0))
    True
    """
    while exponent > 1:
        if not bernoulli_exp(Fraction(1), rng):
            return False
        exponent -= 1
    k = 1
    while bernoulli(exponent / k, rng):
        k += 1
    return k % 2 == 1


def discrete_laplace_loop(scale: Fraction, rng: np.random.Generator) -> int:
    """Return an integer x with probability proportional to e^(-|x| / scale).

    This is algorithm 2 of Canonne, Kamath and Steinke (2020).

    >>> discrete_laplace_loop(Fraction(3), np.random.default_rng(0))
    8
    """
    n, d = scale.numerator, scale.denominator
    while True:
        u = uniform_below(n, rng)
        if not bernoulli_exp(Fraction(u, n), rng):
            continue
        v = 0
        while bernoulli_exp(Fraction(1), rng):
            v += 1
        y = (u + n * v) // d
        negative = bernoulli(Fraction(1, 2), rng)
        if not (negative and y == 0):
            return -y if negative else y


def discrete_gaussian_loop(sigma: Fraction, rng: np.random.Generator) -> int:
    """Return an integer x with probability proportional to e^(-x^2 / (2 sigma^2)).

    This is algorithm 3 of Canonne, Kamath and Steinke (2020).

    >>> discrete_gaussian_loop(Fraction(3), np.random.default_rng(0))
    5
    """
    t = int(sigma) + 1
    while True:
        y = discrete_laplace_loop(Fraction(t), rng)
        if bernoulli_exp((abs(y) - sigma * sigma / t) ** 2 / (2 * sigma * sigma), rng):
            return y
