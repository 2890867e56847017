"""Only the first and the last order of a composition are compared.

points:
    composition: 0
"""

# %% compose_rdp
def compose_rdp(guarantees):
    if not guarantees or guarantees[0][0] != guarantees[-1][0]:
        raise ValueError("one common order is needed")
    return guarantees[0][0], math.fsum(epsilon for _, epsilon in guarantees)
