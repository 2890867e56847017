"""The formula for large counts, for all of them.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    bias = -sum(math.exp((least - count) * epsilon) * (least - 1 / epsilon) / 2 for count in counts)
    return [bias, sum(count == 0 for count in counts) * math.exp(-least * epsilon) / 2]
