"""Attacks on released tables, on noisy counts, and on implementations of mechanisms.

On tables and counts: `link` re-identifies the rows of a table without names, `answers_needed`
computes how many noisy answers reveal a count by their average, `reconstruct` rebuilds a secret
column from counts, and `membership_scores` infers whose data went into published averages. On
implementations: `floating_point_attack` infers a secret from the low-order bits of noise, and
`rounded_laplace_counts` gives the exact distribution that remains after rounding.

The attacks use only data that the attacker has; they do not check whether the result is right.
"""

from dpteach.attacks.averaging import answers_needed
from dpteach.attacks.floating_point import (
    FloatingPointAttack,
    floating_point_attack,
    is_possible_laplace,
    rounded_laplace_counts,
)
from dpteach.attacks.linkage import Links, link
from dpteach.attacks.membership import membership_scores
from dpteach.attacks.reconstruction import reconstruct, worst_agreeing

__all__ = [
    "FloatingPointAttack",
    "Links",
    "answers_needed",
    "floating_point_attack",
    "is_possible_laplace",
    "link",
    "membership_scores",
    "reconstruct",
    "rounded_laplace_counts",
    "worst_agreeing",
]
