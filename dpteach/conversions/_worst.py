"""Pairs of distributions for which the bounds of several conversion theorems are exact."""

from __future__ import annotations

import math
from typing import Any

from dpteach import _check
from dpteach.notions import PLD, ZCDP, GaussianDP, PureDP, RenyiDP, _witness
from dpteach.privacy_loss import PrivacyLoss


def normals_of(claim: ZCDP | GaussianDP) -> float:
    """Return the mu for which N(0, 1) and N(mu, 1) satisfy a claim with equality."""
    return claim.mu if isinstance(claim, GaussianDP) else math.sqrt(2 * claim.rho)


def one_order(claim: RenyiDP) -> tuple[float, float]:
    if len(claim.orders) > 1:
        raise ValueError("the claim has several orders, and no single pair attains all of them")
    return claim.orders[0], claim.epsilons[0]


def normals(claim: ZCDP | GaussianDP, **at: Any) -> PrivacyLoss:
    return _witness.normals(normals_of(claim))


def response(claim: PureDP, **at: Any) -> PrivacyLoss:
    return _witness.response(claim.epsilon)


DOMINATION = "the claim's pair dominates all others: Zhu, Dong and Wang (2022), definition 7"


def pairs_of(claim: PLD) -> list[PrivacyLoss]:
    """Return the privacy loss of (P, Q) and that of (Q, P), as the claim states them."""
    return [_witness.of_atoms(atoms) for atoms in claim._both_atoms()]


def pair_of(claim: PLD, **at: Any) -> PrivacyLoss:
    return _witness.of_atoms(claim._both_atoms()[0])


def bounded(claim: PLD) -> None:
    if math.inf in (claim.losses[-1], claim.reversed_losses[-1]):
        raise ValueError(
            "claim must have finite losses: where one is infinite so are divergences, "
            f"got claim={_check.shown(claim)}"
        )
