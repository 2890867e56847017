"""All intervals are thought to meet.

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

    return [len(rows), max(low for low, _ in left), min(high for _, high in left)]
