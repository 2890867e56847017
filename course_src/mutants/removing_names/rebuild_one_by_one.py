"""Each person alone, the counts with and without.

points:
    rebuilt: 0
"""

# %% rebuild
def rebuild(groups, answers):
    bits = []
    for i in range(20):
        inside = [a for g, a in zip(groups, answers) if g[i]]
        outside = [a for g, a in zip(groups, answers) if not g[i]]
        bits.append(int(sum(inside) / len(inside) - sum(outside) / len(outside) > 0.5))
    return bits
