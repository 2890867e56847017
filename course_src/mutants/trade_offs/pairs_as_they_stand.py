"""Straight in exp(ε) through all pairs, also through those that follow from the others.

points:
    pairs_together: 0
"""

# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    known = sorted(pairs)
    e, d = known[0]
    if epsilon < e:
        return 1 - (1 - d) * (1 + math.exp(epsilon)) / (1 + math.exp(e))
    return float(np.interp(math.exp(epsilon), [math.exp(e) for e, _ in known], [d for _, d in known]))
