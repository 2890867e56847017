"""The factor by a division, which an impossible answer breaks.

points:
    bets_placed: 0
"""

# %% best_bet
def best_bet(p, q, before):
    event = [i for i, (x, y) in enumerate(zip(p, q)) if x / y > (1 - before) / before]
    return [sum(max(before * x, (1 - before) * y) for x, y in zip(p, q)), event]
