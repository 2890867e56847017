"""Single answers, and all but one.

points:
    runs_planned: 0
"""

# %% runs_needed
def runs_needed(p, q, claim):
    import itertools

    from scipy.special import betaincinv

    pairs = []
    for size in {1, len(p) - 1}:
        for event in itertools.combinations(range(len(p)), size):
            one = sum(p[i] for i in event)
            other = sum(q[i] for i in event)
            pairs += [(one, other), (other, one)]
    a, b = np.array(pairs).T

    def proved(n):
        low = betaincinv(n * a, n - n * a + 1, 0.025)
        high = betaincinv(n * b + 1, n - n * b, 0.975)
        return np.log(low / high).max()

    above = 1
    while proved(above) <= claim:
        above *= 2
    below = above // 2
    while above - below > 1:
        middle = (above + below) // 2
        if proved(middle) > claim:
            above = middle
        else:
            below = middle
    return above
