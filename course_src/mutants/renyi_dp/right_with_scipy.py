"""Right: scipy's special functions, and helper functions in the solution cells."""

# %% kl_by_hand
def kl_by_hand():
    # worked out by hand, typed in as what was worked out
    return [0.7 * math.log(3.5) - math.log(2), math.log(7 / 4)]


# %% kl_divergence
from scipy.special import rel_entr


def kl_divergence(p, q):
    return float(rel_entr(p, q).sum())


# %% max_divergence
def max_divergence(p, q):
    worst = renyi_losses(p, q).max()
    return worst


def renyi_losses(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    with np.errstate(divide="ignore"):
        return np.log(p[p > 0]) - np.log(q[p > 0])


# %% renyi_divergence
from scipy.special import logsumexp


def renyi_divergence(p, q, order):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if order == 1:
        return kl_divergence(p, q)
    losses = renyi_losses(p, q)
    weights = p[p > 0]
    if np.isinf(order):
        return losses.max()
    if order > 1 and np.isinf(losses).any():
        return np.inf
    return logsumexp((order - 1) * losses, b=weights) / (order - 1)


# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    n = len(vector)
    covariance = order * sensitivity**2 / (2 * epsilon_bar) * np.eye(n)
    return rng.multivariate_normal(vector, covariance, method="cholesky")
