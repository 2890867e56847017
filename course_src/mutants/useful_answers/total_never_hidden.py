"""A large count is taken to be never hidden.

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
            total += count
    return [total - sum(counts), sum(count == 0 for count in counts) * math.exp(-least / b) / 2]
