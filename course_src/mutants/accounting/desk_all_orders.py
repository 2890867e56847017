"""All orders are held to the budget.

points:
    desk_kept: 0
"""

# %% year_at_desk
def year_at_desk(requests, which, budget, orders, delta):
    spent = [0.0] * len(orders)
    lines = []
    for claim in requests:
        fits = all(s + c <= budget for s, c in zip(spent, claim))
        if fits:
            spent = [s + c for s, c in zip(spent, claim)]
        start = math.log(len(orders) / delta)
        bound = min(s + start / (a - 1) for s, a in zip(spent, orders))
        lines.append([int(fits), bound])
    return lines
