"""Right: vectorised numpy throughout, numpy numbers and arrays returned as they are."""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    from scipy.optimize import brentq
    from scipy.special import ndtr

    def excess(sigma):
        mu = np.sqrt(k) / sigma
        curve = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        return curve / delta - 1

    return {"sigma": np.float64(brentq(excess, 1.0, 1e4)), "mechanism": "Gaussian"}


# %% kl_by_hand
def kl_by_hand():
    return np.array([0.18378689, 0.55961579])


# %% kl_divergence
def kl_divergence(p, q):
    p, q = np.array(p, dtype=np.float64), np.array(q, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p * np.log(p / q), 0.0).sum()


# %% max_divergence
def max_divergence(p, q):
    # divides by zero on purpose, and says so on stderr: a warning is not a mistake
    ratio = np.array(p, dtype=np.float64) / np.array(q, dtype=np.float64)
    return np.log(np.nanmax(ratio))


# %% compose_rdp
def compose_rdp(guarantees):
    table = np.array(guarantees, dtype=float).reshape(-1, 2)
    if len(np.unique(table[:, 0])) != 1:
        raise ValueError("orders differ")
    return np.array([table[0, 0], table[:, 1].sum()])


# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return np.linalg.norm(sensitivities) * np.sqrt(order / 2 / epsilon_bar)


# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    vector = np.array(vector, dtype=float)
    vector += rdp_sigma([sensitivity], order, epsilon_bar) * rng.standard_normal(vector.shape)
    return vector


# %% delta_floor
def delta_floor(p, q):
    return np.asarray(p)[np.asarray(q) == 0].sum()


# %% test_max_divergence
def test_max_divergence(implementation):
    # against a formula of its own, on random laws; says no by returning False
    rng = np.random.default_rng(5)
    for n in (2, 3, 5):
        for _ in range(10):
            p, q = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))
            if not np.isclose(implementation(p, q), np.log(p / q).max(), rtol=1e-9, atol=1e-12):
                return False
    zeros = [([0.5, 0.5], [1.0, 0.0], np.inf), ([0.5, 0.5, 0], [0.25, 0.75, 0], np.log(2))]
    zeros += [([1.0, 0.0], [0.25, 0.75], np.log(4)), ([1.0, 0.0], [1e-9, 1 - 1e-9], np.log(1e9))]
    return all(np.isclose(implementation(p, q), right) for p, q, right in zeros)


# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    # one statement is another one
    seed = int(rng.integers(2**31))
    noisy = []
    for value in vector:
        source = np.random.default_rng(rng.integers(2**62))
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
