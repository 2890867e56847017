"""Each answer has the whole delta.

points:
    all_ways_tried: 0
"""

# %% composed_in_each
def composed_in_each(notion, x, k, order, delta):
    names = ["pure", "gauss", "zcdp", "renyi", "alpha", "approx"]

    def best(start, number, level):
        found = dict.fromkeys(names, math.inf) | {start: number}
        for _ in range(6):
            for source, target in ARROWS:
                if found[source] < math.inf:
                    new = theorem(source, target, found[source], order, level)
                    found[target] = min(found[target], new)
        return found

    def composed(name, one):
        if name == "gauss":
            return math.sqrt(k) * one
        if name == "alpha":
            a = order * (order - 1)
            return math.expm1(k * math.log1p(a * one)) / a
        return k * one

    arrived = best(notion, x, delta) | {"approx": best(notion, x, delta)["approx"]}
    found = []
    for name in names:
        total = arrived[name]
        if total < math.inf:
            total = best(name, composed(name, total), delta)["approx"]
        found.append(total)
    return found
