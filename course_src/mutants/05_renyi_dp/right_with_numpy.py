"""Right: vectorised numpy throughout, numpy numbers and arrays returned as they are."""

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


# %% best_in_grid
def best_in_grid(orders, epsilons, delta):
    orders = np.asarray(orders, dtype=float)
    converted = np.asarray(epsilons) - np.log(delta) / (orders - 1)
    best = np.argmin(converted)
    return orders[best], converted[best]


# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return np.linalg.norm(sensitivities) * np.sqrt(order / 2 / epsilon_bar)


# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    vector = np.array(vector, dtype=float)
    vector += rdp_sigma(sensitivity, order, epsilon_bar) * rng.standard_normal(vector.shape)
    return vector


# %% delta_floor
def delta_floor(p, q):
    return np.asarray(p)[np.asarray(q) == 0].sum()
