"""The event is chosen as if δ were 0.

points:
    event_chosen: 0
"""

# %% epsilon_shown
def epsilon_shown(with_ada, without, delta):
    from scipy.special import betaincinv

    def proved(x, y, m, delta):
        low = betaincinv(x, m - x + 1, 0.025) if x > 0 else 0.0
        high = betaincinv(y + 1, m - y, 0.975) if y < m else 1.0
        if low - delta <= high:
            return 0.0
        return math.log((low - delta) / high)

    one, other = np.array(with_ada), np.array(without)
    best, answer = 0.0, 0.0
    for p, q in ((one, other), (other, one)):
        for t in range(10):
            for hits in (lambda y: y >= t, lambda y: y <= t):
                x, y = hits(p), hits(q)
                chosen = proved(x[::2].sum(), y[::2].sum(), len(x[::2]), 0.0)
                if chosen > best:
                    best = chosen
                    x, y = x[1::2], y[1::2]
                    answer = proved(x.sum(), y.sum(), len(x), delta)
    return float(answer)
