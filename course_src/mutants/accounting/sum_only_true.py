"""Only three true answers are counted.

points:
    sum_on_paper: 0
"""

# %% sum_by_hand
def sum_by_hand():
    odds, level = 5, 0.8
    loss = math.log(odds)
    cube = (odds + 1) ** 3

    def delta(yes, no):
        rows = [(odds**3, 3 * yes)]
        return sum(m / cube * max(0, 1 - math.exp(level - t))
                   for m, t in rows)

    low, high = math.floor(2 * loss) / 2, math.ceil(2 * loss) / 2
    found = [delta(low, -high), delta(loss, -loss), delta(high, -low)]
    return [round(number, 3) for number in found]
