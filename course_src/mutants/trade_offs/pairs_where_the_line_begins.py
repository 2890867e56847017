"""Returns 1 - δ.

points:
    pairs_together: 0
"""

# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    lines = [(0.0, 0.0)]
    for e, d in pairs:
        lines.append((-math.exp(e), 1 - d))
        lines.append((-math.exp(-e), math.exp(-e) * (1 - d)))
    places = {0.0, 1.0}
    for i, (s, h) in enumerate(lines):
        places |= {(k - h) / (s - t) for t, k in lines[:i] if s != t}

    def curve(a):
        return max(h + s * a for s, h in lines)

    return min(curve(a) + math.exp(epsilon) * a for a in places if 0 <= a <= 1)
