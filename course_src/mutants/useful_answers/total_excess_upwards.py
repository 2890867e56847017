"""What is hidden of a large count is taken to be above the number.

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
            total += count - math.exp((least - count) / b) * (least + b) / 2
    return [total - sum(counts), sum(count == 0 for count in counts) * math.exp(-least / b) / 2]
