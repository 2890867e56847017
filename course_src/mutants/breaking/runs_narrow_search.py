"""The search goes to 100,000 runs only.

points:
    runs_planned: 0
"""

# %% runs_needed
def runs_needed(p, q, claim):
    import itertools

    pairs = []
    for size in range(1, len(p)):
        for event in itertools.combinations(range(len(p)), size):
            one, other = sum(p[i] for i in event), sum(q[i] for i in event)
            pairs += [(one, other), (other, one)]
    a, b = np.array(pairs).T

    def proved(n):
        return np.log(low_limit(n * a, n) / high_limit(n * b, n)).max()

    low, high = 1, 100_000
    while high > low:
        middle = (low + high) // 2
        low, high = (low, middle) if proved(middle) > claim else (middle + 1, high)
    return high
