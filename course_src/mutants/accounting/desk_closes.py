"""It closes after a refusal.

points:
    desk_kept: 0
"""

# %% year_at_desk
def year_at_desk(requests, which, budget, orders, delta):
    spent = [0.0] * len(orders)
    lines, shut = [], False
    for claim in requests:
        fits = not shut and spent[which] + claim[which] <= budget
        shut = shut or not fits
        if fits:
            spent = [s + c for s, c in zip(spent, claim)]
        start = math.log(len(orders) / delta)
        bound = min(s + start / (a - 1) for s, a in zip(spent, orders))
        lines.append([int(fits), bound])
    return lines
