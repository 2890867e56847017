"""Right: with numpy, vectorised."""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    laws = np.asarray(laws, dtype=float)
    i, j = np.array(neighbours).T
    p, q = laws[np.r_[i, j]], laws[np.r_[j, i]]
    with np.errstate(all="ignore"):
        covered = np.where((p > 0) & (q > 0), np.exp(np.minimum(epsilon + np.log(q), np.log(p))), 0.0)
    return np.clip(p - covered, 0, 1).sum(axis=1).max()


# %% test_sticks_out
def test_sticks_out(implementation):
    rng = np.random.default_rng(3)
    for epsilon in [0.0, 0.1, 0.5, 1.0, 2.0, 4.0, 11.0]:
        for size in (2, 3, 6):
            p, full = rng.dirichlet(np.full(size, 0.7), 2)
            for zero in (None, 0, size - 1):
                q = full.copy()
                if zero is not None:
                    q[zero] = 0.0
                    q /= q.sum()
                right = np.clip(p - np.exp(epsilon) * q, 0, None).sum()
                assert abs(implementation(p.tolist(), q.tolist(), epsilon) - right) < 1e-8
    tiny = implementation([0.9995, 0.0005], [0.9999, 0.0001], 0.5)
    assert abs(tiny - (0.0005 - 0.0001 * math.exp(0.5))) < 1e-9


# %% worst_tail
def worst_tail(p, q, epsilon):
    p, q = np.array(p), np.array(q)
    possible = p > 0
    p, q = p[possible], q[possible]
    order = np.argsort(q / p)
    p, surplus = p[order], (p - np.exp(epsilon) * q)[order]
    if surplus[0] <= 0:
        return 0.0
    # the running total of surplus rises, then falls: where it is 0 again the slack is spent
    spent = np.concatenate([[0.0], np.cumsum(surplus)])
    got = np.concatenate([[0.0], np.cumsum(p)])
    top = int(np.argmax(spent))
    if spent[-1] >= 0:
        return 1.0
    return np.interp(0.0, -spent[top:], got[top:])


# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.special import erfcx

    log_mu = np.linspace(-16, 7, 200_001)
    mu = np.exp(log_mu)
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    with np.errstate(all="ignore"):
        mills = np.sqrt(np.pi / 2) * (erfcx(a / np.sqrt(2)) - erfcx(b / np.sqrt(2)))
        log_delta = -a * a / 2 - np.log(2 * np.pi) / 2 + np.log(mills)
    log_delta[a < -25] = 0.0
    enough = np.nan_to_num(log_delta, nan=-np.inf) <= math.log(delta)
    return sensitivity / mu[np.argmin(enough) - 1]


# %% repaired_kinds
def repaired_kinds(patients, kinds, most, epsilon, delta, rng):
    counts = [0] * kinds
    for examinations in patients:
        for kind in examinations[:most]:
            counts[kind] += 1
    sensitivity = math.sqrt(most)
    sigma = sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [count + rng.normal(0.0, sigma * math.sqrt(most)) for count in counts]


# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    stays = np.array([[n >> i & 1 for i in range(6)] for n in range(64)])
    left = np.array(answers) - others - stays * nights
    # as if the big noise might be anything
    logs = -((left - left.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) / 2
    chances = np.exp(logs - logs.max())
    return (chances @ stays > chances.sum() / 2).astype(int)


# %% pair_for_family
def pair_for_family(answers, people):
    if not answers:
        return np.zeros(2)
    e, d = np.array(answers).T
    with np.errstate(all="ignore"):
        powers = np.exp(np.outer(np.arange(people), e)).sum(axis=0)
        delta = np.where(d > 0, d * powers, 0.0).sum()
    return np.array([people * e.sum(), min(1.0, delta)])
