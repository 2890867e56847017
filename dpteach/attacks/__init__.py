"""What an attacker does with answers that were meant to be harmless.

On tables and counts: `link` names the rows of a table without names, `answers_needed` says when
averaging defeats noise, `reconstruct` rebuilds a secret column from counts, `membership_scores`
tells who is among the people of whom only averages were published. On implementations:
`floating_point_attack` reads a secret off the last bits of noise, and `rounded_laplace_counts` says
what is left to read off where the answer is rounded.

All that they need is data that the attacker has; whether he is right is for others to say.
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
