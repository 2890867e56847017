"""A whole unit on either side.

points:
    constant_found: 0
"""

# %% constant_between
def constant_between(rows):
    left = []
    for sigma, order, text in rows:
        pairs = order * (order - 1)
        scale = pairs * math.exp(-pairs / (2 * sigma**2))
        left.append([end * scale for end in [2 * printed_range(text)[0] - float(text), 2 * printed_range(text)[1] - float(text)]])

    def explained(c):
        return sum(low <= c <= high for low, high in left)

    count = max(explained(low) for low, _ in left)
    start = min(low for low, _ in left if explained(low) == count)
    return [count, start, min(high for low, high in left if low <= start <= high)]
