"""The privacy loss: the one random variable that every notion of privacy speaks about.

A mechanism's output has the law P on one dataset and Q on a neighbour. The privacy loss is

    L = log dP/dQ (Y),   Y ~ P,

what an observer of the output Y learns about which of the two it came from, in nats. Every
divergence is an expectation of a function of L, and every notion a claim about its law.
Here these expectations are computed from their definitions: sums for discrete outputs,
quadrature for densities. Closed forms are theorems, kept with the mechanisms they belong to;
the tests compare the two.
"""

from dpteach.privacy_loss._base import PrivacyLoss
from dpteach.privacy_loss.density import DensityLoss
from dpteach.privacy_loss.discrete import MOST_OUTCOMES, DiscreteLoss

__all__ = ["MOST_OUTCOMES", "DensityLoss", "DiscreteLoss", "PrivacyLoss"]
