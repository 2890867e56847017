"""Ties are bets on in.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if before * x >= (1 - before) * y]
    right = sum(before * x if i in event else (1 - before) * y for i, (x, y) in enumerate(zip(p, q)))
    return [right, event]
