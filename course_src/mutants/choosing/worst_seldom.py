"""A word of one in 25, q as small as can be.

points:
    worst_desk: 1
"""

# %% worst_word
def worst_word():
    def moment(p, q):
        return p**2 / q + (1 - p) ** 2 / (1 - q)

    def least_q(p):
        return brentq(lambda q: max(moment(p, q), moment(q, p)) - math.exp(0.4), 1e-12, p * (1 - 1e-9), xtol=1e-15) * (1 + 1e-9)

    p = 0.04
    return {"mechanism": "word", "with_ada": p, "without_her": least_q(p)}
