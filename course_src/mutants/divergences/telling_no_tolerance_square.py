"""Factors between the squares of the ends.

points:
    most_told: 0
"""

# %% most_telling
def most_telling(q, epsilon):
    import itertools

    q = [y for y in q if y > 0]
    low, high = math.exp(-epsilon) ** 2, math.exp(epsilon)
    best = 0.0
    for middle in range(len(q)):
        for ends in itertools.product([low, high], repeat=len(q) - 1):
            factors = [*ends[:middle], 0.0, *ends[middle:]]
            rest = (1 - sum(f * y for f, y in zip(factors, q))) / q[middle]
            if low - 1e-12 <= rest <= high + 1e-12:
                factors[middle] = max(rest, 0.0)
                best = max(best, sum(f * y * math.log(f) for f, y in zip(factors, q) if f > 0))
    return best
