"""What is gained above a bet on out.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if before * x > (1 - before) * y]
    right = sum(max(before * x - (1 - before) * y, 0) for x, y in zip(p, q))
    return [right, event]
