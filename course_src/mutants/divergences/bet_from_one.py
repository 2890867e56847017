"""Answers are counted from 1.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q), 1) if before * x > (1 - before) * y]
    return [sum(max(before * x, (1 - before) * y) for x, y in zip(p, q)), event]
