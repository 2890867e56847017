"""The notions of privacy (pure, approximate, Rényi DP, ...) as immutable guarantees."""

from dpteach.notions._base import Adjacency, Explanation, Guarantee
from dpteach.notions.alpha import AlphaDP
from dpteach.notions.approx import ApproxDP
from dpteach.notions.f import FDP
from dpteach.notions.gaussian import GaussianDP
from dpteach.notions.mutual_information import MutualInformationDP
from dpteach.notions.pld import PLD
from dpteach.notions.probabilistic import ProbabilisticDP
from dpteach.notions.pure import PureDP
from dpteach.notions.renyi import RenyiDP
from dpteach.notions.zero_concentrated import ZCDP

__all__ = [
    "FDP",
    "PLD",
    "ZCDP",
    "Adjacency",
    "AlphaDP",
    "ApproxDP",
    "Explanation",
    "GaussianDP",
    "Guarantee",
    "MutualInformationDP",
    "ProbabilisticDP",
    "PureDP",
    "RenyiDP",
]
