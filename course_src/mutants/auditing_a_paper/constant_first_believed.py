"""Whatever does not fit the rows so far is left out.

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

    count, low, high = 0, -math.inf, math.inf
    for a, b in left:
        if max(a, low) <= min(b, high):
            count, low, high = count + 1, max(a, low), min(b, high)
    return [count, low, high]
