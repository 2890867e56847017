"""It prints 0 until something has been answered.

points:
    desk_kept: 0
"""

# %% year_at_desk
def year_at_desk(requests, which, budget, orders, delta):
    spent = [0.0] * len(orders)
    lines = []
    for claim in requests:
        fits = spent[which] + claim[which] <= budget
        if fits:
            spent = [s + c for s, c in zip(spent, claim)]
        start = math.log(len(orders) / delta)
        bound = min(s + start / (a - 1) for s, a in zip(spent, orders))
        lines.append([int(fits), bound if any(one for one, _ in lines) or fits else 0.0])
    return lines
