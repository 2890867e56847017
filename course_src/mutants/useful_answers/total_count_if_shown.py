"""The true count, times the probability that it is shown.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    b = 1 / epsilon
    total = 0.0
    for count in counts:
        if least >= count:
            total += count * math.exp((count - least) / b) / 2
        else:
            total += count * (1 - math.exp((least - count) / b) / 2)
    return [total - sum(counts), sum(count == 0 for count in counts) * math.exp(-least / b) / 2]
