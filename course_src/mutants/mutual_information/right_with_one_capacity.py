"""Right: the capacity of two rows is written once and called in later cells."""

# %% level_of_desk
def capacity_of_rows(p, q):
    def carried(w):
        total = 0.0
        for x, y in zip(p, q):
            m = w * x + (1 - w) * y
            total += (w * x * math.log(x / m) if x > 0 else 0) + ((1 - w) * y * math.log(y / m) if y > 0 else 0)
        return total

    low, high = 0.3, 0.7
    golden = (math.sqrt(5) - 1) / 2
    while high - low > 1e-9:
        one, other = high - golden * (high - low), low + golden * (high - low)
        if carried(one) < carried(other):
            low = one
        else:
            high = other
    return carried((low + high) / 2)


def level_of_desk(laws):
    most = 0.0
    for s in range(len(laws)):
        for t in range(s):
            if bin(s ^ t).count("1") == 1:
                most = max(most, capacity_of_rows(laws[s], laws[t]))
    return most

# %% far_rows
def far_rows():
    found = 0.0001
    for step in (0.1, 0.01, 0.001, 0.0001, 0.00001):
        while capacity_of_rows([found + step, 1 - found - step], [0.0001, 0.9999]) <= 0.05:
            found += step
    return {"mechanism": "two answers", "yes_if_one": found, "yes_if_zero": 0.0001}

# %% study
def study():
    """With yes and no exchanged: the ill say yes less often."""
    rare = 0.0001
    for step in (0.01, 0.001, 0.0001, 0.00001):
        while capacity_of_rows([9 * (rare + step), 1 - 9 * (rare + step)], [rare + step, 1 - rare - step]) <= 0.04:
            rare += step
    return {"mechanism": "instrument", "yes_if_ill": 1 - 9 * rare, "yes_if_not": 1 - rare}
