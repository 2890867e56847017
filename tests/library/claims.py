"""A claim of each notion, for what holds of all of them; a new notion is named here once."""

from __future__ import annotations

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)

CLAIMS: list[Guarantee] = [
    PureDP(0.7),
    ApproxDP(0.7, 1e-3),
    ProbabilisticDP(0.7, 1e-3),
    RenyiDP([2.0, 8.0], [0.1, 0.3]),
    AlphaDP(20.0, 0.3),
    ZCDP(0.2),
    GaussianDP(0.5),
    MutualInformationDP(0.01),
    FDP([0.0, 1.0], [0.3, 0.01]),
    PLD([-1.0, 1.0], [0.25, 0.75], [-1.0, 1.0], [0.25, 0.75]),
]
