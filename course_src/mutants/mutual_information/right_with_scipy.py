"""Right: minimize_scalar and the functions of scipy.special."""

# %% level_of_desk
def level_of_desk(laws):
    from scipy.optimize import minimize_scalar
    from scipy.special import rel_entr

    def capacity(p, q):
        p, q = np.array(p), np.array(q)

        def lost(w):
            m = w * p + (1 - w) * q
            return -(w * rel_entr(p, m).sum() + (1 - w) * rel_entr(q, m).sum())

        return -minimize_scalar(lost, bounds=(0, 1), method="bounded", options={"xatol": 1e-10}).fun

    n = int(math.log2(len(laws)))
    return max(capacity(laws[t], laws[t ^ (1 << i)]) for t in range(len(laws)) for i in range(n))

# %% study
def study():
    from scipy.optimize import brentq
    from scipy.special import rel_entr

    def capacity(a, b):
        def kl(p, m):
            return rel_entr(p, m) + rel_entr(1 - p, 1 - m)

        m = brentq(lambda m: kl(a, m) - kl(b, m), b * (1 + 1e-9), a * (1 - 1e-9), xtol=1e-15)
        return kl(a, m)

    b = brentq(lambda b: capacity(9 * b, b) - 0.04, 1e-4, 0.1)
    return {"mechanism": "instrument", "yes_if_ill": float(9 * b), "yes_if_not": float(b)}
