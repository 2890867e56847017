"""Ways of one arrow only.

points:
    all_ways_tried: 0
"""

# %% composed_in_each
def composed_in_each(notion, x, k, order, delta):
    names = ["pure", "gauss", "zcdp", "renyi", "alpha", "approx"]

    def single(start, target, number, level):
        if start == target:
            return number
        if (start, target) in ARROWS:
            return theorem(start, target, number, order, level)
        return math.inf

    found = []
    for name in names:
        one = single(notion, name, x, delta / k if name == "approx" else delta)
        if one == math.inf:
            found.append(one)
            continue
        a = order * (order - 1)
        total = {"gauss": math.sqrt(k) * one, "alpha": math.expm1(k * math.log1p(a * one)) / a}.get(name, k * one)
        found.append(single(name, "approx", total, delta))
    return found
