"""Constants on a grid of thousandths.

points:
    constant_found: 0
"""

# %% constant_between
def constant_between(rows):
    left = []
    for sigma, order, text in rows:
        pairs = order * (order - 1)
        scale = pairs * math.exp(-pairs / (2 * sigma**2))
        left.append([end * scale for end in printed_range(text)])

    def explained(c):
        return sum(low <= c <= high for low, high in left)

    grid = [i / 1000 for i in range(1, 3000)]
    count = max(explained(c) for c in grid)
    good = [c for c in grid if explained(c) == count]
    return [count, good[0], good[-1]]
