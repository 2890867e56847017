"""Mechanisms: randomized algorithms with their worst pair and the theorems about them."""

from dpteach.mechanisms._base import THEOREMS, Mechanism, Theorem
from dpteach.mechanisms.gaussian import Gaussian
from dpteach.mechanisms.laplace import Laplace
from dpteach.mechanisms.post_processed import PostProcessed
from dpteach.mechanisms.randomized_response import RandomizedResponse

__all__ = [
    "THEOREMS",
    "Gaussian",
    "Laplace",
    "Mechanism",
    "PostProcessed",
    "RandomizedResponse",
    "Theorem",
]
