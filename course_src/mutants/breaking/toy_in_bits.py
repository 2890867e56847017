"""The sizes are made with a logarithm of base 2.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    from math import log2

    sizes = [round(-1.5 * log2(i / 8), 1) for i in range(1, 9)]
    zero = sizes + [-size for size in sizes]
    one = [round(1 + size, 1) for size in zero]
    holes = sum(answer not in zero for answer in one)
    over = sum(max(0, one.count(y) - 1.5 * zero.count(y)) for y in set(one))
    return [holes, len(set(one) & set(zero)), round(over / 16, 3)]
