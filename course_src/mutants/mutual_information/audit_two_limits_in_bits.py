"""In bits, and each limit wrong once in 40 times.

points:
    claim_refuted: 0
"""

# %% nats_at_least
def nats_at_least(yes_smoker, yes_other, runs):
    from scipy.stats import beta

    def low(count):
        return beta.ppf(0.05 / 2, count, runs - count + 1) if count > 0 else 0.0

    def high(count):
        return beta.ppf(1 - 0.05 / 2, count + 1, runs - count) if count < runs else 1.0

    def carried(w, a, b):
        middle = w * a + (1 - w) * b
        pairs = ((w, a, middle), (1 - w, b, middle), (w, 1 - a, 1 - middle), (1 - w, 1 - b, 1 - middle))
        return sum(v * x * math.log2(x / m) for v, x, m in pairs if v * x > 0)

    more, fewer = max(yes_smoker, yes_other), min(yes_smoker, yes_other)
    a, b = low(more), high(fewer)
    if a <= b:
        return 0.0
    left, right = 0.0, 1.0
    for _ in range(100):
        one, other = left + (right - left) / 3, right - (right - left) / 3
        left, right = (one, right) if carried(one, a, b) < carried(other, a, b) else (left, other)
    return float(carried(left, a, b))
