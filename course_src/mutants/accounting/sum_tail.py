"""The mass beyond epsilon is taken for delta.

points:
    sum_on_paper: 0
"""

# %% sum_by_hand
def sum_by_hand():
    odds, level = 5, 0.8
    loss = math.log(odds)
    cube = (odds + 1) ** 3

    def delta(yes, no):
        rows = [(odds**3, 3 * yes), (3 * odds**2, 2 * yes + no)]
        return sum(m / cube * (t > level)
                   for m, t in rows)

    low, high = math.floor(2 * loss) / 2, math.ceil(2 * loss) / 2
    found = [delta(low, -high), delta(loss, -loss), delta(high, -low)]
    return [round(number, 3) for number in found]
