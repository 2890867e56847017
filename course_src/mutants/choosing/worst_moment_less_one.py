"""The moment less 1 is held below the limit, in the place of its logarithm.

points:
    worst_desk: 1
"""

# %% worst_word
def worst_word():
    def kept(p, q):
        return p**2 / q + (1 - p) ** 2 / (1 - q) - 1 <= 0.4

    best = (0.0, 0.1, 0.05)
    for p in np.linspace(0.005, 0.5, 500):
        low, high = 1e-9, p
        for _ in range(60):
            q = (low + high) / 2
            low, high = (low, q) if kept(p, q) and kept(q, p) else (q, high)
        best = max(best, (p - math.exp(1.3) * high, p, high))
    return {"mechanism": "word", "with_ada": float(best[1]), "without_her": float(best[2])}
