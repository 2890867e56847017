"""The nats of the board are taken for bits.

points:
    study_designed: 1
"""

# %% study
def study():
    def capacity(p, q):
        def carried(w):
            m = w * p + (1 - w) * q
            return sum(v * (x * math.log(x / m) + (1 - x) * math.log((1 - x) / (1 - m)))
                       for v, x in ((w, p), (1 - w, q)))

        low, high = 0.0, 1.0
        for _ in range(80):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            low, high = (one, high) if carried(one) < carried(other) else (low, other)
        return carried(low)

    low, high = 0.0001, 0.9999 / 9
    for _ in range(60):
        rare = (low + high) / 2
        odds_of_no = (1 - rare) / (1 - 9 * rare)
        good = capacity(9 * rare, rare) <= 0.04 * math.log(2) and odds_of_no <= 9
        low, high = (rare, high) if good else (low, rare)
    return {"mechanism": "instrument", "yes_if_ill": 9 * low, "yes_if_not": low}
