"""Epsilons at different orders are added as if they were at the same one.

points:
    composition: 0
"""

# %% compose_rdp
def compose_rdp(guarantees):
    if not guarantees:
        raise ValueError("nothing to compose")
    return min(a for a, _ in guarantees), sum(e for _, e in guarantees)
