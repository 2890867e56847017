"""Sums of privacy losses on a lattice: certified brackets of a privacy profile.

The loss of each step is replaced by two losses that take only values on a lattice of spacing h.
The sums of these lattice losses over all steps give an upper and a lower bound on delta, whose
distance is proportional to h^2 and to the number of steps. The two lattice losses are found as
follows. Let L be the privacy loss of one step. Its hockey-stick curve, H(x) = E[(1 - x e^-L)+] as
a function of x = e^epsilon, is convex. Connect the points of the curve at x_i = e^(offset + i h)
by chords: the curve lies below them. Lower the ends of each chord by a bound on its distance from
the curve: the curve lies above the lowered chords. Both piecewise linear curves have their kinks
at lattice points, so they are the hockey-stick curves of losses with values on the lattice. If the
curve of one step lies above that of another step, the same is true of the curves of their
compositions [1]_.

The distribution of a sum is computed by a power of a Fourier transform, whose rounding errors are
absolute. To keep them small relative to a small delta, the distributions are first tilted:
probabilities are multiplied by e^(theta L), with theta such that the sum is typically near the
requested epsilon. Usually only a few frequencies of the transform are not negligible, and delta is
a sum over them. The bounds on delta include bounds on the errors from rounding, wrap-around and
truncated tails.

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
