"""Mechanisms: randomized algorithms, their worst-case neighbors and the theorems about them."""

from dpteach.mechanisms._base import THEOREMS, Mechanism, PostProcessed, Theorem
from dpteach.mechanisms.catastrophe import DeltaCatastrophe
from dpteach.mechanisms.discrete_gaussian import DiscreteGaussian
from dpteach.mechanisms.discrete_laplace import DiscreteLaplace
from dpteach.mechanisms.exponential import ExponentialMechanism
from dpteach.mechanisms.gaussian import Gaussian
from dpteach.mechanisms.k_ary_randomized_response import KaryRandomizedResponse
from dpteach.mechanisms.laplace import Laplace
from dpteach.mechanisms.noisy_max import ReportNoisyMax
from dpteach.mechanisms.permute_and_flip import PermuteAndFlip
from dpteach.mechanisms.randomized_response import RandomizedResponse
from dpteach.mechanisms.snapping import Snapping
from dpteach.mechanisms.sparse_vector import SparseVector

__all__ = [
    "THEOREMS",
    "DeltaCatastrophe",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "ExponentialMechanism",
    "Gaussian",
    "KaryRandomizedResponse",
    "Laplace",
    "Mechanism",
    "PermuteAndFlip",
    "PostProcessed",
    "RandomizedResponse",
    "ReportNoisyMax",
    "Snapping",
    "SparseVector",
    "Theorem",
]
