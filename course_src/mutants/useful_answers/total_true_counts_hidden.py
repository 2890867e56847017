"""The true count decides.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    b = 1 / epsilon
    total = 0.0
    for count in counts:
        if least >= count:
            total += count if count == least else 0
        else:
            total += count
    empty = sum(count == 0 for count in counts)
    return [total - sum(counts), empty * math.exp(-least / b) / 2]
