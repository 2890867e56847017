"""The best bet at even odds.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if x > y]
    right = (1 + sum(abs(x - y) for x, y in zip(p, q)) / 2) / 2
    return [right, event]
