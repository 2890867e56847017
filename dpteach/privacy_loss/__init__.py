"""The privacy loss: the random variable that every notion of privacy bounds.

Let P be the distribution of a mechanism's output on one dataset and Q that on a neighbor. The
privacy loss

    L = log dP/dQ (Y),   Y ~ P,

measures, in nats, the evidence of the output Y for P against Q. Every divergence is computed from
the distribution of L, most of them as an expectation, and every notion is a claim about this
distribution. This package computes divergences from their definitions: sums for discrete outputs,
quadrature for densities. Closed forms are theorems, kept with the mechanisms they belong to;
the tests compare the two.
"""

from dpteach.privacy_loss._base import PrivacyLoss
from dpteach.privacy_loss.density import DensityLoss
from dpteach.privacy_loss.discrete import MOST_OUTCOMES, DiscreteLoss

__all__ = ["MOST_OUTCOMES", "DensityLoss", "DiscreteLoss", "PrivacyLoss"]
