"""The laws are exchanged.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if before * y > (1 - before) * x]
    right = sum(max(before * y, (1 - before) * x) for x, y in zip(p, q))
    return [right, event]
