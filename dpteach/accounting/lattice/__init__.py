"""Sums of privacy losses on a lattice: certified brackets of a privacy profile.

Let L be the privacy loss of one step. The hockey-stick curve H(x) = E[(1 - x e^-L)+] as a function
of x = e^epsilon is convex. Take lattice points x_i = e^(offset + i h) with a spacing h of the
losses. Between them the curve lies below its chords. Lower the ends of the chords by a bound on the
distance between chord and curve; the curve lies above these chords. Both enclosing curves are
piecewise linear with kinks at lattice points, so they belong to losses with values on the lattice.
If one step's curve lies above that of another, so do the curves of their compositions [1]_: sums
of lattice losses enclose the true sum, at a distance proportional to h^2 and to the number of
steps.

The distribution of a sum is computed by a power of a Fourier transform, whose rounding errors are
absolute. Therefore the distributions are first tilted: probabilities are multiplied by e^(theta L),
with theta such that the sum is typically near the requested epsilon. Then the errors are small
relative to delta, however small delta is. Only a few frequencies of the power are not negligible,
and delta is a sum over them. Bounds on the errors from rounding, wrap-around and truncated tails
are added.

.. [1] Zhu, Dong and Wang (2022), theorem 10. Chords: Doroshenko, Ghazi, Kamath, Kumar and
   Manurangsi (2022).
"""

from dpteach.accounting.lattice.bracket import delta_bracket, epsilon_bracket
from dpteach.accounting.lattice.cells import TooLarge
from dpteach.accounting.lattice.loss import Base, GaussianBase, LaplaceBase, StepLoss

__all__ = [
    "Base",
    "GaussianBase",
    "LaplaceBase",
    "StepLoss",
    "TooLarge",
    "delta_bracket",
    "epsilon_bracket",
]
