"""The candidates are a grid of 1001 numbers.

points:
    median_drawn: 0
"""

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    grid = np.linspace(low, high, 1001)
    ages = np.clip(np.array(ages, dtype=float), low, high)
    scores = np.array([-abs(int((ages < x).sum()) - int((ages > x).sum())) for x in grid])
    weights = np.exp(epsilon / 2 * (scores - scores.max()))
    sums = np.cumsum(weights) / weights.sum()
    return float(grid[np.argmax(sums >= u)])
