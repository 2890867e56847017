"""The infinite mass is 1 - (1 - m)**k, in which a tiny m is lost.

points:
    sum_enclosed: 0
"""

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    losses, masses = np.array(losses, dtype=float), np.array(masses)
    finite = np.isfinite(losses)
    told = masses[~finite].sum()

    def one_side(whole):
        law = np.bincount((whole(losses[finite] / mesh) + 20).astype(int),
                          masses[finite], minlength=41)
        total, power, n = np.ones(1), law, k
        while n:
            if n % 2:
                total = np.convolve(total, power)
            power, n = np.convolve(power, power), n // 2
        t = mesh * (np.arange(total.size) - 20 * k)
        finite_part = (total * np.maximum(0, -np.expm1(np.minimum(0, epsilon - t)))).sum()
        return finite_part + (1 - (1 - told) ** k)

    return np.array([one_side(np.floor), one_side(np.ceil)])
