"""Every function raises ValueError, so only the cases that expect an error look right.

points:
    conversion: 0
    composition: 0
    renyi_large_orders: 0
    renyi_limits: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% renyi_divergence
def renyi_divergence(p, q, order):
    raise ValueError

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    raise ValueError

# %% compose_rdp
def compose_rdp(guarantees):
    raise ValueError
