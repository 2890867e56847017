"""Example guarantees of each notion of privacy, such as RenyiDP, shared by several tests.

A new notion needs an entry in `EXAMPLES`, and one in `TOLD` if its method `tightest` needs
arguments in addition to a privacy loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)

#: for each notion a typical guarantee, followed by weak and strong ones. Tests convert each of them
#: to other notions. If a conversion is tight, some pair of distributions must attain its result;
#: for the other conversions, the tests measure how far the result exceeds the best possible one
EXAMPLES: dict[type[Guarantee], list[Any]] = {
    PureDP: [
        PureDP(0.7),
        *(PureDP(e) for e in (0.0, 1e-6, 0.05, 3.0, 20.0)),
        *(PureDP(e, adjacency=Adjacency.REPLACE_ONE) for e in (1e-6, 0.7, 3.0, 700.0)),
    ],
    ApproxDP: [
        ApproxDP(0.7, 1e-3),
        *(ApproxDP(e, d) for e in (0.0, 0.05, 0.9, 3.0) for d in (0.0, 1e-5, 0.05, 0.6, 1.0)),
    ],
    ProbabilisticDP: [
        ProbabilisticDP(0.7, 1e-3),
        *(ProbabilisticDP(e, d) for e in (0.0, 0.9, 3.0) for d in (0.0, 1e-5, 0.6)),
    ],
    RenyiDP: [
        RenyiDP([2.0, 8.0], [0.1, 0.3]),
        *(RenyiDP(a, e) for a in (1.01, 2.0, 2.5, 10.0, 60.0) for e in (0.0, 1e-4, 0.05, 0.5, 2.0)),
        *(RenyiDP(a, 0.5) for a in (1.0, 2.5, math.inf)),
        RenyiDP([1.0, 2.5, 10.0, math.inf], [0.1, 0.2, 0.6, 2.0]),
    ],
    AlphaDP: [
        AlphaDP(20.0, 0.3),
        *(AlphaDP(a, e) for a in (1.01, 2.5, 30.0) for e in (0.0, 1e-4, 0.3, 5.0)),
    ],
    ZCDP: [ZCDP(0.2), *(ZCDP(r) for r in (0.0, 1e-5, 0.0025, 1.5))],
    GaussianDP: [GaussianDP(0.5), *(GaussianDP(m) for m in (0.0, 0.01, 2.0))],
    MutualInformationDP: [
        MutualInformationDP(0.01),
        *(MutualInformationDP(e) for e in (1e-6, 0.3, 0.69, 1.0)),
    ],
    FDP: [
        FDP([0.0, 1.0], [0.3, 0.01]),
        FDP(1.0, 0.0),
        FDP(0.5, 0.1),
        FDP([0.0, 0.5, 1.0], [0.3, 0.1, 0.01]),
    ],
    PLD: [
        PLD.tightest(loss).self_compose(k)
        for k in (1, 5)
        for loss in (
            DiscreteLoss([0.3, 0.7], [0.7, 0.3]),
            DiscreteLoss([0.5, 0.5], [0.25, 0.75]),
            DiscreteLoss([0.2, 0.5, 0.3], [0.3, 0.3, 0.4]),
            DiscreteLoss([0.6, 0.4, 0.0], [0.5, 0.4, 0.1]),
        )
    ],
}

#: one typical guarantee of each notion
CLAIMS: list[Guarantee] = [claims[0] for claims in EXAMPLES.values()]

#: for some notions, the arguments that the method `tightest` needs in addition to a privacy loss
TOLD: dict[type[Guarantee], dict[str, Any]] = {
    RenyiDP: {"orders": [1, 1.5, 2, 8, 64]},
    AlphaDP: {"order": 3.0},
    ApproxDP: {"epsilon": 0.3},
    ProbabilisticDP: {"epsilon": 0.3},
}


def picked(table: dict[str, Any], names: Iterable[str], where: str) -> dict[str, Any]:
    """Return an example value for each named argument of a theorem, taken from a table.

    If a name is missing in the table, the error message calls the table `where`.
    """
    missing = [name for name in names if name not in table]
    assert not missing, f"{where} must have a value of {missing}, which a theorem is told"
    return {name: table[name] for name in names}


def claims_of(notion: type[Guarantee]) -> list[Any]:
    assert notion in EXAMPLES, f"EXAMPLES of claims.py must hold claims of {notion.__name__}"
    return EXAMPLES[notion]
