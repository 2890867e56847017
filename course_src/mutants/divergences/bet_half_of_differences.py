"""A half and half of all differences.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if before * x > (1 - before) * y]
    right = (1 + sum(abs(before * x - (1 - before) * y) for x, y in zip(p, q)) / 2) / 2
    return [right, event]
