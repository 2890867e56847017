"""A word that is nearly a proof, and very rare.

points:
    worst_desk: 0
"""

# %% worst_word
def worst_word():
    def moment(p, q):
        return p**2 / q + (1 - p) ** 2 / (1 - q)

    def least_q(p):
        return brentq(lambda q: max(moment(p, q), moment(q, p)) - math.exp(0.4), 1e-12, p * (1 - 1e-9), xtol=1e-15) * (1 + 1e-9)

    p = 0.001
    return {"mechanism": "word", "with_ada": p, "without_her": least_q(p)}
