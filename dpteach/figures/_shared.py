"""Constants and functions that several modules of figures share."""

from __future__ import annotations

import math

from dpteach._language import catalog
from dpteach._readable import number, ten_to
from dpteach.composition import advanced_composition
from dpteach.mechanisms import Gaussian
from dpteach.mechanisms.classical import classical_gaussian_guarantee

_, _n = catalog("figures")

#: the true answers to the book's counting query on the data without and with the patient Ada
WITHOUT, WITH = 137.0, 138.0


def one_in(probability: float) -> str:
    """Return a probability as text, such as "1 in 2.7 million", or "1 in 10¹²" below 1e-9."""
    n = 1 / probability
    if n >= 1e9:
        return _("1 in {n}", n=ten_to(round(math.log10(n))))
    if n >= 1e6:
        return _("1 in {n} million", n=number(n / 1000000.0, 2))
    return _("1 in {n:,.0f}", n=n) if n >= 10 else _("1 in {n:.2g}", n=n)


def advanced_epsilon(mechanism: Gaussian, k: int, delta: float) -> float:
    """Return the total epsilon of k releases with Gaussian noise, by advanced composition.

    Half of delta is the slack of advanced composition. The other half is divided equally among the
    releases, whose epsilon comes from the textbook formula for Gaussian noise.
    """
    step = classical_gaussian_guarantee(mechanism, delta=delta / (2 * k))
    return advanced_composition(step, k, slack=delta / 2).epsilon
