"""Patients outside of the range are left out.

points:
    median_drawn: 0
"""

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    inside = [x for x in ages if low <= x <= high]
    ends = np.concatenate(([low], np.sort(np.array(inside, dtype=float)), [high]))
    n = len(ends) - 2
    lengths = np.diff(ends)
    keep = lengths > 0
    logs = 0.5 * epsilon * -np.abs(n - 2 * np.arange(n + 1))[keep]
    shares = np.exp(logs - logs.max()) * lengths[keep]
    sums = np.concatenate(([0.0], np.cumsum(shares))) / shares.sum()
    i = min(int(np.searchsorted(sums, u, side="right")) - 1, len(shares) - 1)
    start, length = ends[:-1][keep][i], lengths[keep][i]
    return float(start + (u - sums[i]) / (sums[i + 1] - sums[i]) * length)
