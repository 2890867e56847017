"""From the right start to the last end of those that meet.

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

    count = max(explained(low) for low, _ in left)
    start = min(low for low, _ in left if explained(low) == count)
    inside = [pair for pair in left if pair[0] <= start <= pair[1]]
    return [count, start, max(high for _, high in inside)]
