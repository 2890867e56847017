"""The probability of one empty part.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    b = 1 / epsilon
    total = 0.0
    for count in counts:
        if least >= count:
            total += math.exp((count - least) / b) * (least + b) / 2
        else:
            total += count - math.exp((least - count) / b) * (least - b) / 2
    empty = sum(count == 0 for count in counts)
    return [total - sum(counts), math.exp(-least / b) / 2 if empty else 0.0]
