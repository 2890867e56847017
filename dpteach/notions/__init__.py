"""The notions of privacy: immutable claims about the privacy loss. One file a notion."""

from dpteach.notions._base import Adjacency, Explanation, Guarantee
from dpteach.notions.alpha import AlphaDP
from dpteach.notions.approx import ApproxDP
from dpteach.notions.gaussian import GaussianDP
from dpteach.notions.mutual_information import MutualInformationDP
from dpteach.notions.pure import PureDP
from dpteach.notions.renyi import RenyiDP
from dpteach.notions.zero_concentrated import ZCDP

__all__ = [
    "ZCDP",
    "Adjacency",
    "AlphaDP",
    "ApproxDP",
    "Explanation",
    "GaussianDP",
    "Guarantee",
    "MutualInformationDP",
    "PureDP",
    "RenyiDP",
]
